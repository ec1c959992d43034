import type { RefusedShop } from '../../operations/compliance-shop/change-shop.ts';

/** Why the compliance service refused, field by field where it names them. */
export function refusedShopText({ status, words, fields }: RefusedShop): string {
  const advice = status === 401 || status === 403 ? '; check the API key and its secret (`orderbridge doctor`)' : '';
  return [`the compliance service answered ${status}: ${words}${advice}`, ...fields.map(({ path, message }) => `  ${flagOf(path)}: ${message}`)].join('\n');
}

/** A field as it is named in the documentation, with the flag that sets it. */
function flagOf(path: string): string {
  const [name = ''] = path.split('.');
  return name === '' ? 'body' : `${path} (--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`;
}
