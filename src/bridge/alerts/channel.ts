import type { AlertMessage } from './alert.ts';

/**
 * What a channel answered, in words without addresses and secrets. later: it may take the message another time, not before `afterMs` if that is
 * known. broken: it will not, until a person changes something.
 */
export type Sent = { kind: 'sent'; words: string } | { kind: 'later'; why: string; afterMs: number | null } | { kind: 'broken'; why: string };

/** Each mail address is a channel of its own; `place`: from 0. */
export function mailChannelName(place: number): string {
  return place === 0 ? 'mail' : `mail-${place + 1}`;
}

/** A way to tell somebody. */
export type Channel = {
  /** `mail`, `mail-2` …, `slack` or `webhook`; in the database, the log and metrics. */
  name: string;
  /** Where it leads, for the person who configured it: without the secret part of its address. */
  where: string;
  /** Tries once; never throws. */
  send(message: AlertMessage): Promise<Sent>;
};
