const VERSION_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When an id that grows with time was made, in ms since 1970. Throws for any other id. */
export function madeAt(id: string): number {
  const [, high, low] = VERSION_7.exec(id) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${id} does not grow with time`);
  return Number.parseInt(high + low, 16);
}
