import { isCompanyId } from '../../../src/contract/shop-dto.ts';

let last = 20_000_000;

/** The number of a company that no other test of this process has: shops of one company share their document numbers. */
export function newCompany(): string {
  last += 1;
  const digit = Array.from('0123456789').find((one) => isCompanyId(`${last}${one}`));
  if (digit === undefined) throw new Error(`no check digit fits ${last}`);
  return `${last}${digit}`;
}
