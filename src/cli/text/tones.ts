import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import type { Verdict } from '../../operations/verdict/verdict.ts';
import type { Tone } from '../../platform/terminal/print.ts';

const states: Readonly<Record<OrderState, Tone | undefined>> = {
  waiting: 'quiet',
  queued: 'busy',
  recorded: 'good',
  removed: 'quiet',
  resolved: 'quiet',
  review: 'asks',
  unconfirmed: 'asks',
  ignored: 'quiet',
};

/** What the state of an order says at a glance. */
export function stateTone(state: string): Tone | undefined {
  return Object.entries(states).find(([name]) => name === state)?.[1];
}

const marks: Readonly<Record<string, Tone>> = {
  ok: 'good',
  note: 'asks',
  WRONG: 'bad',
  connected: 'good',
  disconnected: 'quiet',
  accepted: 'good',
  refused: 'bad',
};

const levels: Readonly<Record<Verdict['verdict'], Tone>> = { ok: 'good', attention: 'asks', failing: 'bad' };

/** What a verdict, or the level of a reason, says. */
export function levelTone(level: Verdict['verdict']): Tone {
  return levels[level];
}

/** What a mark says: a finding of `doctor`, the state of a connection, the result of a webhook. */
export function markTone(mark: string): Tone | undefined {
  return marks[mark];
}

/** What became of a message: "sent", "waiting: why", "failed: why". */
export function sendingTone(state: string): Tone {
  if (state === 'sent') return 'good';
  return state.startsWith('failed') ? 'bad' : 'busy';
}
