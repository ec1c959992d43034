import { expect, test } from 'vitest';
import type { FailureCode } from '../../../../src/bridge/order/failure.ts';
import { type Requeued, requeued } from '../../../../src/bridge/order/newer-facts.ts';
import type { OrderState } from '../../../../src/bridge/order/order-state.ts';

const unchanged: Requeued = { queued: false, unparked: false, asked: false };

test.each<[string, [OrderState, FailureCode | null, boolean], Partial<Requeued>]>([
  ['that was recorded is queued', ['recorded', null, true], { queued: true, unparked: true }],
  ['that was ignored is queued', ['ignored', null, true], { queued: true, unparked: true }],
  ['that is parked is queued: the question is out of date', ['parked', 'vat.unmapped', true], { queued: true, unparked: true }],
  ['whose create is unconfirmed stays so, until a person reports its outcome', ['unconfirmed', null, true], { unparked: true }],
  ['that is recorded twice stays parked, also for the newer facts', ['parked', 'record.doubled', true], { asked: true }],
  ['that is recorded twice stays parked after any news', ['parked', 'record.doubled', false], { asked: true }],
  ['that came under the id of another one stays parked, also for the newer facts', ['parked', 'order.other', true], { asked: true }],
  ['whose fiscal content did not change stays as it is', ['parked', 'vat.unmapped', false], {}],
])('an order %s', (_what, [state, parkedCode, raised], expected) => {
  expect(requeued({ state, parkedCode }, raised)).toEqual({ ...unchanged, ...expected });
});
