import { noneOf, type Verdict } from '../hostile/verdict.ts';
import { type Books, moneyOf, readBooks } from './compare-books.ts';
import type { ExpectedOrder } from './living-shop.ts';
import type { MissedStage } from './missed-stage.ts';

type Side = { orders: number; total: string } | null;
type Difference = { kind: string; orderId: string; total: string; detail: string; code: string | null };
type Reconciled = { connection: string; store: Side; ledger: Side; service: Side; differences: Difference[]; repaired: number; unchecked: unknown[] };

/** A key of Shopify’s shows orders of 60 days; this month and the one before may be longer. */
const SHOWN_MS = 58 * 86_400_000;

/** `orderbridge reconcile --json` says the same as the store: nothing differs but orders that wait for a person, each with its code. */
export async function judgeSides({ cli, pool, shopId }: MissedStage, { expected }: { expected: readonly ExpectedOrder[] }): Promise<Verdict[]> {
  const before = askedOf(await readBooks(pool, shopId));
  const { code, out, err } = await cli.run(['reconcile', '--json', '--from', new Date(Date.now() - SHOWN_MS).toISOString()]);
  const what = '`reconcile --json` can be run';
  if (code === null || code > 1 || !out.startsWith('[')) return [{ what, figure: `code ${code}`, held: false, detail: (err || out).slice(0, 500) }];
  const [said] = JSON.parse(out) as Reconciled[];
  if (said === undefined) return [{ what, figure: 'no connection in it', held: false, detail: out }];
  const books = await readBooks(pool, shopId);
  // A webhook that was late may have settled one meanwhile, or have had one decided again: in review before or after the command, not both.
  const after = askedOf(books);
  const asked = new Map([...after].filter(([id]) => before.has(id)));
  const listed = new Map(said.differences.map((difference) => [difference.orderId, difference]));
  const others = said.differences.filter(({ orderId, code: its }) => its === null || ![before.get(orderId), after.get(orderId)].includes(its));
  const unlisted = [...asked].filter(([id]) => !listed.has(id)).map(([id, its]) => `order ${id} with ${its}`);
  const sum = [...books.service.values()].flat().reduce((cents, one) => cents + one, 0);
  const right = expected.filter(({ orderId }) => !asked.has(orderId)).reduce((cents, { kept }) => cents + (kept ?? 0), 0);
  return [
    noneOf(
      '`reconcile --json` names nothing but orders that wait for a person, with their codes',
      others.map(
        ({ kind, orderId, code: its, detail }) => `${kind} ${orderId} (${its}; before ${before.get(orderId)}, after ${after.get(orderId)}): ${detail}`,
      ),
    ),
    { ...noneOf('each order that waits for a person is listed', unlisted), figure: `${asked.size - unlisted.length} of ${asked.size}` },
    judgeTotals(said, { service: sum, asked: asked.size, store: right, code }),
  ];
}

function askedOf({ ledger }: Books): Map<string, string | null> {
  return new Map([...ledger].flatMap(([id, [row]]) => (row?.state === 'review' ? [[id, row.code] as const] : [])));
}

type Truth = { service: number; store: number; asked: number; code: number };

function judgeTotals({ store, ledger, service, unchecked }: Reconciled, truth: Truth): Verdict {
  const wrong = [
    ...(service?.total === moneyOf(truth.service) ? [] : [`the service has ${moneyOf(truth.service)}`]),
    ...(ledger?.total === service?.total && ledger?.orders === service?.orders ? [] : ['ledger and service differ']),
    ...(truth.asked > 0 || (store?.total === moneyOf(truth.store) && store.orders === ledger?.orders) ? [] : [`the store has ${moneyOf(truth.store)}`]),
    ...unchecked.map((what) => JSON.stringify(what)),
    ...(truth.code === (truth.asked > 0 ? 1 : 0) ? [] : [`it ended with ${truth.code}`]),
  ];
  const side = (one: Side) => (one === null ? 'null' : `${one.orders} × ${one.total}`);
  return { ...noneOf('its sides are those of the books', wrong), figure: `store ${side(store)}, ledger ${side(ledger)}, service ${side(service)}` };
}
