/** `name=value` with `&`, as Shopify signs and reads it: a space is %20. */
export function percentEncoded(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString().replaceAll('+', '%20');
}
