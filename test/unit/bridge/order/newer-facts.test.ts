import { expect, test } from 'vitest';
import type { OrderState } from '../../../../src/bridge/order/decisions/order-state.ts';
import { type Requeued, requeued } from '../../../../src/bridge/order/decisions/transition.ts';
import type { FailureCode } from '../../../../src/bridge/order/facts/failure.ts';

const unchanged: Requeued = { queued: false, cleared: false, asked: false };

test.each<[string, [OrderState, FailureCode | null, boolean], Partial<Requeued>]>([
  ['that was recorded is queued', ['recorded', null, true], { queued: true, cleared: true }],
  ['that was ignored is queued', ['ignored', null, true], { queued: true, cleared: true }],
  ['that needs review is queued: the question is out of date', ['review', 'vat.unmapped', true], { queued: true, cleared: true }],
  ['whose create is unconfirmed stays so, until a person reports its outcome', ['unconfirmed', null, true], { cleared: true }],
  ['that is recorded twice stays in review, also for the newer facts', ['review', 'record.doubled', true], { asked: true }],
  ['that is recorded twice stays in review after any news', ['review', 'record.doubled', false], { asked: true }],
  ['that came under the id of another one stays in review, also for the newer facts', ['review', 'order.other', true], { asked: true }],
  ['whose fiscal content did not change stays as it is', ['review', 'vat.unmapped', false], {}],
])('an order %s', (_what, [state, reviewCode, raised], expected) => {
  expect(requeued({ state, reviewCode }, raised)).toEqual({ ...unchanged, ...expected });
});
