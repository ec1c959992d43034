import { ownValue } from '../../contract/own-value.ts';
import { Failure } from '../order/facts/failure.ts';
import type { StoreAccess } from './contract.ts';

/** One of the credentials that a storefront's API names. A store that any release stored without it is not called with half a key. */
export function credentialOf(access: StoreAccess, name: string): string {
  const value = ownValue(access, name);
  if (value === undefined) throw new Failure('storefront.refused', `the connection has no ${name}; give the store’s whole key with \`orderbridge reconnect\``);
  return value;
}
