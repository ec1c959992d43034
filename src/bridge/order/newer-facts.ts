import type { StoredCode } from './failure.ts';
import type { OrderState } from './order-state.ts';

/** How merging newer facts changes an order. */
export type Requeued = {
  /** It will be submitted. */
  queued: boolean;
  /** The question to a person is out of date. */
  cleared: boolean;
  /** A person must still decide, also about the newer facts. */
  asked: boolean;
};

/** `raised`: its fiscal content changed. Which record must be deleted, and which sale it is, only a person can say, even if the order changes again. */
export function requeued({ state, reviewCode }: { state: OrderState; reviewCode: StoredCode | null }, raised: boolean): Requeued {
  const isAsked = reviewCode === 'record.doubled' || reviewCode === 'order.other';
  return { queued: raised && !isAsked && pendingState(state) === 'queued', cleared: raised && !isAsked, asked: isAsked };
}

/** The state of an order that is behind: it is submitted, unless a person must first report the outcome of a create. */
export function pendingState(state: OrderState): OrderState {
  return state === 'unconfirmed' ? state : 'queued';
}
