import { createHmac } from 'node:crypto';

/** A query as Shopify signs it: sorted, percent-encoded, a space as %20, and the HMAC in hex beside it. */
export function signedQuery(parameters: Readonly<Record<string, string>>, secret: string): URLSearchParams {
  const sorted = Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = new URLSearchParams(sorted).toString().replaceAll('+', '%20');
  return new URLSearchParams([...sorted, ['hmac', createHmac('sha256', secret).update(text).digest('hex')]]);
}
