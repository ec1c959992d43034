/** What contestants are called in tables and results. */
export const names = {
  floor: 'floor: node:http + RPUSH',
  plain: 'plain service, 1 process',
  plainSplit: 'plain service, web + worker',
  kept: 'plain with PostgreSQL, 1 process',
  keptSplit: 'plain with PostgreSQL, web + worker',
  all: 'orderbridge, role all',
  split: 'orderbridge, receiver + worker',
  untraced: 'receiver + worker, no traces',
  traced: 'receiver + worker, a tenth traced',
  otherAll: 'other checkout, role all',
  otherSplit: 'other checkout, receiver + worker',
} as const;

/** The default of `QUIET_SECONDS`. */
export const QUIET_SECONDS = 5;

/** The same contestant with that quiet time; all others submit at once. */
export function settled(name: string): string {
  return `${name}, settle ${QUIET_SECONDS}`;
}
