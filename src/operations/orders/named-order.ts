import { lastWebhooks } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { type KeptOrder, type ordersCalled, ordersNamed, ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import type { LocalizedText } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { ordersByDocument } from '../../service/reading/read-orders.ts';
import { Refusal } from '../refusal.ts';

type Deps = { pool: Pool };

/** Looking does no harm: a bare number may be the ledger's own id. Doing does: the order that was meant may not have come yet. */
type For = 'looking' | 'doing';

const DOCUMENT = /^\d{10}$/;
const MOST_CHOICES = 50;

/** The ledger ids of all orders that a person may mean; see `ordersNamed`. A document number is one of our own service. `by` ordersCalled: no bare ledger id. */
export async function idsOfName({ pool }: Deps, named: string, by: typeof ordersCalled = ordersNamed): Promise<number[]> {
  const said = named.trim();
  return by(pool, said, DOCUMENT.test(said) ? await ordersByDocument(pool, said) : []);
}

/** The orders of this name, 50 at most; refuses if there is none, and says what came last. */
export async function namedOrders(deps: Deps, named: string): Promise<KeptOrder[]> {
  const ids = await idsOfName(deps, named);
  if (ids.length === 0) throw await unknownOrder(deps, named);
  return ordersOfIds(deps.pool, ids.slice(0, MOST_CHOICES));
}

/** The one order that a person names, to do something to it. If several fit, or only the ledger has that number, it refuses and lists them. */
export function orderToDo(deps: Deps, named: string): Promise<KeptOrder> {
  return namedOrder(deps, named, 'doing');
}

/** The one order that a person names. If several fit, it refuses and lists them. */
export async function namedOrder(deps: Deps, named: string, why: For = 'looking'): Promise<KeptOrder> {
  const all = await namedOrders(deps, named);
  const [first] = all;
  if (first === undefined) throw await unknownOrder(deps, named);
  const isBare = why === 'doing' && all.length === 1 && isLedgerIdOnly(first, named.trim());
  if (all.length === 1 && !isBare) return first;
  throw new Refusal('conflict', isBare ? onlyOurs(named) : { en: `${named} names several orders`, bg: `${named} е име на няколко поръчки` }, {
    advice: isBare
      ? { en: 'if you mean it, say so by its id', bg: 'ако нея имате предвид, посочете я с идентификатора ѝ' }
      : { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
    choices: {
      header: ['id', 'store', 'order', 'number', 'state'],
      rows: all.map(({ id, storeName, orderId, number, state }) => [`id:${id}`, storeName, orderId, number, state]),
    },
  });
}

function isLedgerIdOnly({ id, orderId, number, complianceId }: KeptOrder, named: string): boolean {
  return named === String(id) && ![orderId.replace(/~\d+$/, ''), complianceId, ...(number?.match(/\d+/g) ?? []), number].includes(named);
}

function onlyOurs(named: string): LocalizedText {
  return {
    en: `no order is called ${named}, which is only the number of another one here`,
    bg: `няма поръчка, наречена ${named}; това е само номерът на друга тук`,
  };
}

async function unknownOrder({ pool }: Deps, named: string): Promise<Refusal> {
  const last = await lastWebhooks(pool, 3);
  const en = last.map(({ name, ageSeconds }) => `last webhook of ${name}: ${ageSeconds === null ? 'none' : ageWords(ageSeconds)}`);
  const bg = last.map(({ name, ageSeconds }) => `последно известие от ${name}: ${ageSeconds === null ? 'няма' : ageInBulgarian(ageSeconds)}`);
  const said = {
    en: `no webhook of an order ${named} has come (${last.length === 0 ? 'no store is connected' : en.join(', ')})`,
    bg: `не е дошло известие за поръчка ${named} (${last.length === 0 ? 'няма свързан магазин' : bg.join(', ')})`,
  };
  return new Refusal('missing', said, { advice: { en: '`orderbridge orders` lists the known ones', bg: '`orderbridge orders` показва познатите' } });
}

function ageInBulgarian(seconds: number): string {
  if (seconds < 120) return `преди ${Math.max(0, Math.round(seconds))} сек.`;
  if (seconds < 7_200) return `преди ${Math.round(seconds / 60)} мин.`;
  if (seconds < 172_800) return `преди ${Math.round(seconds / 3_600)} ч.`;
  return `преди ${Math.round(seconds / 86_400)} дни`;
}

function ageWords(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s ago`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}
