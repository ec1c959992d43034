import { type Act, PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import type { OrderState } from '../../order/decisions/order-state.ts';
import { containsPersonalData, type StoredCode } from '../../order/facts/failure.ts';
import type { BridgeAct } from '../bridge-acts.ts';

/** What an order waits for a person for. */
export type ReviewCause = { state: OrderState; code: StoredCode | null; detail?: string | null };

/** The words of a problem, if they are our own; null: they quote somebody: the journal has those, and the audit log, which is never erased, has not. */
export function ownWords({ code, detail }: { code: string; detail: string | null }): string | null {
  return containsPersonalData(code) ? null : detail;
}

const WAITS: readonly OrderState[] = ['review', 'unconfirmed'];
const ACTS: Partial<Record<OrderState, BridgeAct>> = { review: 'order.needs-review', unconfirmed: 'order.unconfirmed' };

/** Where the program itself sent an order to review, or had it wait for nobody any more; none if it is as it was. */
export function reviewActs({ id, connectionId }: { id: number; connectionId: string }, before: ReviewCause | null, after: ReviewCause): Act<BridgeAct>[] {
  const waits = WAITS.includes(after.state);
  const waited = before !== null && WAITS.includes(before.state);
  const isSame = before?.state === after.state && before.code === after.code && (after.detail ?? null) === (before.detail ?? null);
  if ((!waits && !waited) || isSame) return [];
  const act = ACTS[after.state] ?? 'order.review-ended';
  return [{ who: PROGRAM, act, connectionId, orderRef: id, ...(before === null ? {} : { before: shown(before) }), after: shown(after) }];
}

function shown({ state, code, detail = null }: ReviewCause): Record<string, string> {
  if (state !== 'review' || code === null) return { state };
  const words = detail === null ? null : ownWords({ code, detail });
  return { state, code, ...(words === null ? {} : { detail: words }) };
}

const asked = (of: string) => `jsonb_strip_nulls(jsonb_build_object('state', ${of}state, 'code', case ${of}state when 'review' then ${of}review_code end))`;

/**
 * The same as `reviewActs` for a statement that writes many orders: `done` has each as it is, and with `was_` as it was; `x` has `noted_detail`, the
 * words if they are our own. Where newer facts came at the same moment, the one who merged them said that the order is out of review.
 */
export const WRITE_REVIEW_ACTS = `insert into acts (who, act, connection_id, order_ref, before, after)
  select '${PROGRAM}', case d.state when 'review' then 'order.needs-review' when 'unconfirmed' then 'order.unconfirmed' else 'order.review-ended' end,
    d.connection_id, d.id, ${asked('d.was_')}, ${asked('d.')} || case when d.state = 'review' and x.noted_detail is not null then jsonb_build_object('detail', x.noted_detail) else '{}' end
  from done d join x using (id)
  where (d.state in ('review', 'unconfirmed') or d.was_state in ('review', 'unconfirmed'))
    and (d.was_state, d.was_review_code, d.was_review_detail) is distinct from (d.state, d.review_code, d.review_detail)
    and not (d.was_state = 'review' and d.was_revision < d.revision)`;
