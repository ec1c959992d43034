import { capitalized } from '../../../contract/local-text.ts';
import { paymentCodes, returnCodes } from '../../law/audit-codes.ts';

/** A payment method (`paym`) in words; an unknown code stays a number. */
export function paymentWords(code: number): string {
  return wordsOf(paymentCodes, code);
}

/** A way of giving money back (`r_paym`) in words. */
export function returnWords(code: number): string {
  return wordsOf(returnCodes, code);
}

function wordsOf(codes: typeof returnCodes, code: number): string {
  const known = Object.values(codes).find((one) => one.code === code);
  return known === undefined ? `Код ${code}` : capitalized(known.name.bg);
}
