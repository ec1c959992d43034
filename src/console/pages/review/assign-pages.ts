import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Assignment } from '../../../bridge/ledger/review/assignment-store.ts';
import { assign, assignableOrder, assignees, snoozedUntil } from '../../../operations/review/assign.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { mustBeSeen, Stale } from '../../../web/forms.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { noOrder, orderDetailOf } from '../order/order-page.ts';
import { keptOf } from '../orders/assign-form.ts';
import { issueOf } from './issue-page.ts';

/** `POST /console/review/GROUP/assign` and `POST /console/orders/ID/assign`: who looks after it, and until when it may wait. */
export const assignPages: readonly Page[] = [
  { path: '/review/:group/assign', right: 'orders.see', post: { right: 'orders.decide', act: assignIssue } },
  { path: '/orders/:id/assign', right: 'orders.see', post: { right: 'orders.decide', act: assignOrder } },
];

async function assignIssue(context: PageContext, form: Form): Promise<PageReply> {
  const { review } = context.words;
  const issue = await issueOf(context);
  if (issue === null) throw new Stale(review.assign.verb, review.stale.gone);
  const { group, connection } = issue;
  const { latest } = group.assigned;
  return assigned(context, form, { of: { ...group, order: null }, was: keptOf(group.assigned), latest, connection, back: `/console/review/${group.id}` });
}

async function assignOrder(context: PageContext, form: Form): Promise<PageReply> {
  const orderDetail = await orderDetailOf(context);
  if (orderDetail === null) return noOrder(context);
  const { id } = orderDetail.report;
  const assignable = await assignableOrder(context.deps, id);
  if (assignable === null) throw new Stale(context.words.review.assign.verb, context.words.review.stale.gone);
  return assigned(context, form, { ...assignable, connection: orderDetail.store, back: `/console/orders/${id}` });
}

type Assigned = Pick<Parameters<typeof assign>[1], 'of' | 'was'> & { latest: string; connection: Pick<Connection, 'shopId'>; back: string };

async function assigned({ deps, words, by, person }: PageContext, form: Form, { of, was, latest, connection, back }: Assigned): Promise<PageReply> {
  const until = snoozedUntil({ how: form.text('snooze'), day: form.text('day') }, { today: sofiaDay(deps.now().toISOString()), latest });
  const among = await assignees(deps, connection);
  const chosen = form.text('me') === '1' ? person.id : form.text('person');
  const now = { person: chosen === '' ? null : chosen, note: form.text('note').slice(0, 1_000), snoozedUntil: until };
  const nameIn = ({ person: id }: Assignment) => among.find((one) => one.id === id)?.name ?? words.review.assign.nobody;
  const said = { sent: nameIn(now), now: nameIn(was) };
  // The same twice changes nothing the second time.
  if (JSON.stringify(was) !== JSON.stringify(now)) mustBeSeen(form, was, said);
  if (!(await assign(deps, { of, was, now, among, by }))) throw new Stale(said.sent, said.now);
  return { goTo: back, done: 'assigned' };
}
