import { didYouMean } from '../../contract/did-you-mean.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../contract/enumerations.ts';
import type { Said } from '../../contract/said.ts';
import type { SettingsInput } from './connection-settings.ts';
import { settingPath } from './setting-path.ts';

/** A value that our compliance service refuses in each record that it is in. `words` begin with the path. */
export type UnknownValue = { path: string; words: Said };

/** Payment types and VAT groups that our service does not have, and processors without a name. */
export function unknownValues({ vatGroups = {}, payments = {} }: Pick<SettingsInput, 'vatGroups' | 'payments'>): UnknownValue[] {
  const groups = Object.entries(vatGroups).flatMap(([rate, group]) => misnamed(['vatGroups', rate], group, VAT_GROUPS));
  const types = Object.entries(payments).flatMap(([gateway, { paymentType, paymentProcessorName }]) => [
    ...misnamed(['payments', gateway, 'paymentType'], paymentType, PAYMENT_TYPES),
    ...(paymentType === 'PAYMENT_PROCESSOR' && paymentProcessorName === undefined ? [nameless(gateway)] : []),
  ]);
  return [...groups, ...types];
}

function misnamed(keys: readonly string[], value: string, known: readonly string[]): UnknownValue[] {
  if (known.includes(value)) return [];
  const path = settingPath(keys);
  const words = {
    en: `${path} is ${value}, which is none of ${known.join(', ')}${didYouMean(value, known)}`,
    bg: `${path} е ${value}, а може да е само ${known.join(', ')}${didYouMean(value, known, 'bg')}`,
  };
  return [{ path, words }];
}

function nameless(gateway: string): UnknownValue {
  const path = settingPath(['payments', gateway, 'paymentProcessorName']);
  const words = {
    en: `${path} is missing: with PAYMENT_PROCESSOR the name of the processor must be given`,
    bg: `${path} липсва: при PAYMENT_PROCESSOR трябва да е дадено името на доставчика`,
  };
  return { path, words };
}
