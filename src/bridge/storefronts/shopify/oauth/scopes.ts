/** The scopes that an answer names (`read_orders,write_products`). */
export function scopesIn(text: string): string[] {
  return text
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

/** Those that were asked for and not granted. `write_x` grants `read_x`, too, and is named alone. */
export function lackingScopes(asked: readonly string[], granted: readonly string[]): string[] {
  const all = new Set(granted.flatMap((scope) => [scope, ...impliedBy(scope)]));
  return asked.filter((scope) => !all.has(scope));
}

function impliedBy(scope: string): string[] {
  const [, unauthenticated = '', what] = /^(unauthenticated_)?write_(.*)$/.exec(scope) ?? [];
  return what === undefined ? [] : [`${unauthenticated}read_${what}`];
}
