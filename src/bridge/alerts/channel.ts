import type { AlertMessage } from './alert.ts';

/**
 * What a channel answered, in words without addresses and secrets. later: it may take the message another time, not before `afterMs` if that is
 * known. broken: it will not, until a person changes something.
 */
export type Sent = { kind: 'sent'; words: string } | { kind: 'later'; why: string; afterMs: number | null } | { kind: 'broken'; why: string };

/** A way to tell somebody. */
export type Channel = {
  /** `mail`, `mail-2` …, `slack` or `webhook`; in the database, the log and metrics. */
  name: string;
  /** Where it leads, for the person who configured it: without the secret part of its address. */
  where: string;
  /** Tries once; never throws. */
  send(message: AlertMessage): Promise<Sent>;
};
