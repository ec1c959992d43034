import { beginMany, chosenByList } from '../../../operations/orders/decide-many.ts';
import { findOrders, MOST_COUNTED } from '../../../operations/orders/find-orders.ts';
import type { Form, Reply, Visit } from '../../base/page.ts';
import { seenOf } from '../../frame/parts.ts';
import { mustBeSeen, Stale } from '../../frame/stale.ts';
import type { Sent } from './bulk-form.ts';
import { numberOf } from './number-of.ts';
import { type OrdersAsked, ordersAsked } from './orders-asked.ts';
import { showList } from './orders-list.ts';
import { asSeen } from './orders-view.ts';

/** `POST /console/orders`: the chosen ones are decided again, or settled. */
export async function actOnOrders(visit: Visit, form: Form): Promise<Reply> {
  const asked = await ordersAsked(visit, (name) => form.text(name));
  const [note, how, all] = [form.text('note'), form.text('how'), form.text('all') === '1'];
  const what = form.text('act') === 'release' ? 'release' : how === 'not-a-sale' || how === 'elsewhere' ? how : null;
  const problem = what === null ? 'noWord' : what !== 'release' && note === '' ? 'noNote' : null;
  const again = (sent: Sent['problem']) => showList(visit, asked, { after: '', sent: { note, how, all, problem: sent } });
  if (what === null || problem !== null) return again(problem ?? 'noWord');
  const ids = all ? await allOf(visit, asked, form) : await selected(visit, asked, form);
  if (ids.length === 0) return again('none');
  const { run } = await beginMany(visit.deps, { ids, about: visit.words.orders.about[what], by: visit.by, why: note, what });
  return { goTo: `/console/runs/${run}` };
}

async function allOf({ deps, words: { orders } }: Visit, { wanted }: OrdersAsked, form: Form): Promise<number[]> {
  const ids = await chosenByList(deps, { ...wanted, state: 'parked' });
  const count = (n: number) => orders.count(n, MOST_COUNTED);
  mustBeSeen(form, ids.length, { sent: orders.bulk.all('…'), now: orders.bulk.all(count(ids.length)) });
  return ids;
}

const SELECTED = /^(\d{1,15})\.([\w-]{16})$/;

/** Those that were ticked, as they were seen. */
async function selected({ deps, words }: Visit, { stores }: OrdersAsked, form: Form): Promise<number[]> {
  const ticked = new Map(
    form.all('order').flatMap((value) => {
      const [, id, seen] = SELECTED.exec(value) ?? [];
      return id === undefined || seen === undefined ? [] : [[Number(id), seen] as const];
    }),
  );
  if (ticked.size === 0) return [];
  const wanted = { connections: stores.map(({ id }) => id), state: null, code: null, sold: null, total: null, ids: [...ticked.keys()] };
  const { orders } = await findOrders({ pool: deps.pool, connections: stores }, wanted, { after: '', size: ticked.size });
  const changed = orders.filter((order) => ticked.get(order.id) !== seenOf(asSeen(order)));
  if (changed.length > 0) {
    const now = changed.map((order) => `${numberOf(order)}: ${words.orders.states[order.state]}${order.parked === null ? '' : ` (${order.parked.detail})`}`);
    throw new Stale(`${changed.map(numberOf).join(', ')}: ${words.orders.states.parked}`, now.join('\n'));
  }
  return orders.map(({ id }) => id);
}
