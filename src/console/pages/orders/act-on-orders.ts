import { beginMany, changedSinceSeen, chosenByList } from '../../../operations/orders/decide-many.ts';
import { findOrders, MOST_COUNTED } from '../../../operations/orders/find-orders.ts';
import type { Form, PageContext, Reply } from '../../base/page.ts';
import { seenOf } from '../../frame/parts.ts';
import { isStale, Stale } from '../../frame/stale.ts';
import type { Sent } from './bulk-form.ts';
import { numberOf } from './number-of.ts';
import { type OrdersAsked, ordersAsked } from './orders-asked.ts';
import { showList } from './orders-list.ts';
import { asSeen } from './orders-view.ts';

/** `POST /console/orders`: the chosen ones are decided again, or settled. */
export async function actOnOrders(context: PageContext, form: Form): Promise<Reply> {
  const asked = await ordersAsked(context, (name) => form.text(name));
  const [note, how, all] = [form.text('note'), form.text('how'), form.text('all') === '1'];
  const what = whatOf(form.text('act'), how);
  const problem = what === null ? 'noWord' : what !== 'release' && note === '' ? 'noNote' : null;
  const ticked = tickedIn(form);
  const again = (why: Pick<Sent, 'problem' | 'stale'>) =>
    showList(context, asked, { after: '', sent: { note, how, all, ticked: new Set(ticked.keys()), ...why } });
  if (what === null || problem !== null) return again({ problem: problem ?? 'noWord' });
  try {
    const ids = all ? await allOf(context, asked, form) : await selected(context, asked, ticked);
    if (ids.length === 0) return again({ problem: 'none' });
    const { run } = await beginMany(context.deps, { ids, about: context.words.orders.about[what], by: context.by, why: note, what });
    return { goTo: `/console/runs/${run}` };
  } catch (thrown) {
    if (thrown instanceof Stale) return again({ problem: 'stale', stale: thrown });
    throw thrown;
  }
}

function whatOf(act: string, how: string): 'release' | 'not-a-sale' | 'elsewhere' | null {
  if (act === 'release') return 'release';
  return how === 'not-a-sale' || how === 'elsewhere' ? how : null;
}

async function allOf({ deps, words: { orders } }: PageContext, { wanted }: OrdersAsked, form: Form): Promise<number[]> {
  const { ids, digest } = await chosenByList(deps, wanted);
  if (!isStale(form, digest)) return ids;
  const changed = await changedSinceSeen(deps, ids, form.text('at'));
  const now = orders.bulk.all(orders.count(ids.length, MOST_COUNTED));
  throw new Stale(form.text('was'), changed.length === 0 ? now : `${now}\n${orders.bulk.changed(changed.join(', '))}`);
}

const SELECTED = /^(\d{1,15})\.([\w-]{16})$/;

/** The ids of those that were ticked, and what was seen of each. */
function tickedIn(form: Form): Map<number, string> {
  return new Map(
    form.all('order').flatMap((value) => {
      const [, id, seen] = SELECTED.exec(value) ?? [];
      return id === undefined || seen === undefined ? [] : [[Number(id), seen] as const];
    }),
  );
}

/** Those that were ticked, as they were seen. */
async function selected({ deps, words }: PageContext, { stores }: OrdersAsked, ticked: ReadonlyMap<number, string>): Promise<number[]> {
  if (ticked.size === 0) return [];
  const wanted = { connections: stores.map(({ id }) => id), state: null, code: null, sold: null, total: null, ids: [...ticked.keys()] };
  const { orders } = await findOrders({ pool: deps.pool, connections: stores }, wanted, { after: '', size: ticked.size });
  const changed = orders.filter((order) => ticked.get(order.id) !== seenOf(asSeen(order)));
  if (changed.length > 0) {
    const now = changed.map((order) => `${numberOf(order)}: ${words.orders.states[order.state]}${order.review === null ? '' : ` (${order.review.detail})`}`);
    throw new Stale(`${changed.map(numberOf).join(', ')}: ${words.orders.states.review}`, now.join('\n'));
  }
  return orders.map(({ id }) => id);
}
