import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import type { Submitter } from './submitter.ts';

export type WorkersOptions = { core: Core; queues: Queues; metrics: Metrics; submitter: Submitter };

/** How long jobs and attempts may take to finish when the process stops. */
export const FINISH_SHARE = { mostMs: 20_000, keepMs: 8_500 };
