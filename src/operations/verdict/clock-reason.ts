import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

const MOST_SKEW_MS = 60_000;

/** `ahead`: ms that our clock is ahead of `whose`; signatures with a time are valid for 5 minutes. */
export function clockReason(whose: string, ahead: number): Reason[] {
  if (Number.isNaN(ahead) || Math.abs(ahead) <= MOST_SKEW_MS) return [];
  const words = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${whose}: synchronize this machine's clock (NTP)`;
  return [reasonOf('clock.off', { subject: whose, words })];
}
