/** The flags of commands that release many orders. `wait` is in seconds. */
export type OneFirstOptions = { allAtOnce?: true; wait?: number };

export const ALL_AT_ONCE = ['--all-at-once', 'release all together, although they are more than 20'] as const;
export const WAIT = ['--wait <seconds>', 'how long to wait for what becomes of the order that goes first (default: 60)'] as const;
