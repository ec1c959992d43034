import type { FailureCode } from './failure.ts';
import type { OrderState } from './order-state.ts';

/** What becomes of an order when newer facts are merged. */
export type Requeued = {
  /** It will be submitted by itself. */
  queued: boolean;
  /** What a person was asked is out of date. */
  unparked: boolean;
  /** A person stays asked, also about the newer facts. */
  asked: boolean;
};

/** `raised`: its fiscal content changed. A record that stands twice must be removed by a person, whatever else comes to light. */
export function requeued({ state, parkedCode }: { state: OrderState; parkedCode: FailureCode | null }, raised: boolean): Requeued {
  const isDoubled = parkedCode === 'record.doubled';
  return { queued: raised && !isDoubled && pendingState(state) === 'queued', unparked: raised && !isDoubled, asked: isDoubled };
}

/** The state of an order that is behind: it is looked at, unless a person must say first what became of a create. */
export function pendingState(state: OrderState): OrderState {
  return state === 'unconfirmed' ? state : 'queued';
}
