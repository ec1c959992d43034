import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import type { HealthStatus } from '../../operations/health/health-status.ts';
import type { TerminalTone } from '../../platform/terminal/print.ts';

const states: Readonly<Record<OrderState, TerminalTone | undefined>> = {
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
export function stateTone(state: string): TerminalTone | undefined {
  return Object.entries(states).find(([name]) => name === state)?.[1];
}

const marks: Readonly<Record<string, TerminalTone>> = {
  ok: 'good',
  note: 'asks',
  WRONG: 'bad',
  connected: 'good',
  disconnected: 'quiet',
  accepted: 'good',
  refused: 'bad',
};

const levels: Readonly<Record<HealthStatus['health'], TerminalTone>> = { ok: 'good', attention: 'asks', failing: 'bad' };

/** What a health status, or the level of a failed check, says. */
export function levelTone(level: HealthStatus['health']): TerminalTone {
  return levels[level];
}

/** What a mark says: a finding of `doctor`, the state of a connection, the result of a webhook. */
export function markTone(mark: string): TerminalTone | undefined {
  return marks[mark];
}

/** What became of a message: "sent", "waiting: why", "failed: why". */
export function sendingTone(state: string): TerminalTone {
  if (state === 'sent') return 'good';
  return state.startsWith('failed') ? 'bad' : 'busy';
}
