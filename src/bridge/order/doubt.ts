import type { Claim, Doubted, Standing } from './claim.ts';
import type { Outcome } from './outcome.ts';
import type { DeleteStep } from './step.ts';

const LONGEST_DOUBT_MS = 6 * 60 * 60_000;

/** The delete as it stays open; `since` if its 404 is not believed. `now` in ms since 1970. */
export function leftOpen(step: DeleteStep, outcome: Outcome, now: number): DeleteStep {
  const since = outcome === 'disbelieved' ? { since: step.since ?? new Date(now).toISOString() } : {};
  return { ...step, uncertain: true, ...since };
}

/**
 * Only a person can find out: the service works, and its answer to this delete has not been believed for hours. `workedAt`: when it last did
 * what it was sent, ms since 1970; null: not seen.
 */
export function isForPerson({ since }: DeleteStep, { now, workedAt }: { now: number; workedAt: number | null }): boolean {
  if (since === undefined || workedAt === null) return false;
  const from = Date.parse(since);
  return now - from >= LONGEST_DOUBT_MS && workedAt > from;
}

/** The record that a create with a 404 makes doubtful again: it exists as far as is known, and its delete is open. Null: there is none. */
export function takenBack({ doubted, previous, stepSeq }: Claim): { standing: Standing; openStep: DeleteStep } | null {
  if (doubted === null || previous === null) return null;
  return { standing: { record: previous, ...doubted }, openStep: { kind: 'delete', seq: stepSeq + 1, ...doubted, uncertain: true } };
}

/** A record that a 404 said to be gone: the create that follows shows whether that was the service's word. */
export function doubtedBy({ complianceId, destinationId }: DeleteStep, outcome: string): Doubted | null {
  return outcome === 'gone' ? { complianceId, destinationId } : null;
}
