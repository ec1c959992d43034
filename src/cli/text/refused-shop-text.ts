import { didYouMean } from '../../contract/did-you-mean.ts';
import { createShopDto } from '../../contract/shop-dto.ts';
import type { RefusedShop } from '../../operations/compliance-shop/change-shop.ts';

/** Why the compliance service refused, field by field where it names them. */
export function refusedShopText({ status, words, fields }: RefusedShop): string {
  const advice = status === 401 || status === 403 ? '; check the API key and its secret (`orderbridge doctor`)' : '';
  return [
    `the compliance service answered ${status}: ${words}${advice}`,
    ...fields.map(({ path, message }) => `  ${flagOf(path)}: ${message}${guessOf(path)}`),
  ].join('\n');
}

const known: readonly string[] = Object.keys(createShopDto.shape);

/** The name of a field of the body, without places inside of it. */
function nameOf(path: string): string {
  return path.split(/[.[]/)[0] ?? '';
}

function guessOf(path: string): string {
  const name = nameOf(path);
  return name === '' || known.includes(name) ? '' : didYouMean(name, known);
}

/** A field as it is named in the documentation, with the flag that sets it. */
function flagOf(path: string): string {
  const name = nameOf(path);
  if (name === '') return 'body';
  return known.includes(name) ? `${path} (--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})` : path;
}
