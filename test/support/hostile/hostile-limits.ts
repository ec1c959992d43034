/** What an honest merchant may be made to feel, and what an attack may cost. */
export type HostileLimits = {
  /** From the webhook of the honest merchant to its record. */
  honestMs: number;
  /** `/healthz`. */
  healthMs: number;
  /** Is what a server that does nothing takes meanwhile taken off? */
  isOverBare: boolean;
  /** Resident memory above that before the attack. */
  memoryMb: number;
  /** From SIGTERM, in the middle of an attack, to the end of the process. */
  stopMs: number;
  /** From the last request until nothing is left to do. */
  drainMs: number;
  /** Requests of the last flood, in the middle of which SIGTERM is sent. */
  lastFlood: number;
  /** Share of the requests that are answered 503: not in time, send it again. */
  lateShare: number;
  /** How often the honest merchant sends again what is answered so. */
  resends: number;
};

/** Those of `npm run hostile`, on a machine that does nothing else. */
export const FULL_LIMITS: HostileLimits = {
  honestMs: 5_000,
  healthMs: 250,
  isOverBare: false,
  memoryMb: 300,
  stopMs: 30_000,
  drainMs: 600_000,
  lastFlood: 600,
  lateShare: 0.001,
  resends: 0,
};

/** Those of the long tests: as many requests, beside another test file on the same two cores. */
export const LONG_LIMITS: HostileLimits = { ...FULL_LIMITS, honestMs: 10_000, healthMs: 1_000, isOverBare: true };

/** Those of the short run, beside three other test files, on a machine that may be ten times as slow: nothing hangs, and nothing is lost. */
export const SHORT_LIMITS: HostileLimits = {
  honestMs: 30_000,
  healthMs: 10_000,
  isOverBare: true,
  memoryMb: 400,
  stopMs: 60_000,
  drainMs: 300_000,
  lastFlood: 150,
  lateShare: 0.3,
  resends: 5,
};

/** Of fewer samples, the 90th percentile is limited in place of the 99th, which would be one of the two slowest. */
export const MANY_SAMPLES = 200;

/** Nothing got less for so long: it will not. Longer than a stalled job waits to be given to another worker, and than one that failed twice. */
export const STUCK_MS = 60_000;

/** Pace of the honest merchant's orders. */
export const HONEST_EVERY_MS = 1_000;
/** Pause between two queries of `/healthz`. */
export const HEALTH_EVERY_MS = 50;
/** Pause between two looks at the memory. */
export const MEMORY_EVERY_MS = 250;
/** Clients that send one request after the other. */
export const CLIENTS = 24;
/** Requests beside them that are sent slowly, or by halves. */
export const SLOW_AT_ONCE = 30;
/** A client gives up on an answer. */
export const ANSWER_MS = 60_000;
/** Honest orders before the attack, after which the memory counts as idle. */
export const WARM_UP_ORDERS = 10;
/** Orders with a refund of the store that hangs. */
export const MOST_HANGING = 160;
