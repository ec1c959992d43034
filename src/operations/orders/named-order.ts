import { lastWebhooks } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { ordersByDigits } from '../../bridge/ledger/orders/order-search.ts';
import { type KeptOrder, MOST_NAMED, ordersCalled, ordersOfIds, ordersOfLedger } from '../../bridge/ledger/orders/read-orders.ts';
import type { Lang } from '../../contract/messages.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { ordersByDocument } from '../../service/reading/read-orders.ts';
import { Refusal } from '../refusal.ts';

type Deps = { pool: Pool };
/** Whose orders; null: of all. */
type Of = readonly string[] | null;

const DOCUMENT = /^\d{10}$/;
const LEDGER_ID = /^\d{1,15}$/;
const MOST_CHOICES = 50;

/** The ledger ids of all orders that are called so, at this moment; see `ordersCalled`. A document number is one of our own service. */
export async function idsOfName({ pool }: Deps, named: string, connections: Of = null): Promise<number[]> {
  const said = named.trim();
  return ordersCalled(pool, { named: said, records: DOCUMENT.test(said) ? await ordersByDocument(pool, said) : [], connections });
}

/** Those that a list shows for a name: of a number without prefix and suffix, seconds after they came, and the ledger's own if nothing else is called so. */
export async function idsLikeName(deps: Deps, named: string, connections: Of = null): Promise<number[]> {
  const [called, similar] = await Promise.all([idsOfName(deps, named, connections), similarTo(deps, named, connections)]);
  const all = [...new Set([...called, ...similar.byDigits])];
  return all.length > 0 ? all : similar.ofLedger;
}

/** What digits may be meant for. None of these is an order's name: another order may have come that is called so, or whose number ends so. */
async function similarTo({ pool }: Deps, named: string, connections: Of = null): Promise<Record<'byDigits' | 'ofLedger', number[]>> {
  const [, hash = '', digits = ''] = /^(#?)(\d{1,50})$/.exec(named.trim()) ?? [];
  const [byDigits, ofLedger] = await Promise.all([
    digits === '' ? [] : ordersByDigits(pool, digits, { connections, limit: MOST_NAMED + 1 }),
    hash !== '' || !LEDGER_ID.test(digits) ? [] : ordersOfLedger(pool, digits, connections),
  ]);
  return { byDigits, ofLedger };
}

/** The orders of this name, 50 at most; refuses if there is none, and says which are similar, or what came last. */
export async function namedOrders(deps: Deps, named: string): Promise<KeptOrder[]> {
  const ids = await idsOfName(deps, named);
  if (ids.length > 0) return ordersOfIds(deps.pool, ids.slice(0, MOST_CHOICES));
  const { byDigits, ofLedger } = await similarTo(deps, named);
  const similar = await ordersOfIds(deps.pool, [...new Set([...byDigits, ...ofLedger])].slice(0, MOST_CHOICES));
  if (similar.length === 0) throw await unknownOrder(deps, named);
  throw new Refusal('conflict', {
    en: `no order is called ${named}`,
    bg: `няма поръчка, наречена ${named}`,
    advice: { en: 'if you mean one of these, say so by its id', bg: 'ако имате предвид някоя от тези, посочете я с идентификатора ѝ' },
    choices: choicesOf(similar),
  });
}

/** The one order that a person names. If several are called so, or only others are similar, it refuses and lists them. */
export async function namedOrder(deps: Deps, named: string): Promise<KeptOrder> {
  const [first, ...others] = await namedOrders(deps, named);
  if (first === undefined) throw await unknownOrder(deps, named);
  if (others.length === 0) return first;
  throw new Refusal('conflict', {
    en: `${named} names several orders`,
    bg: `${named} е име на няколко поръчки`,
    advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
    choices: choicesOf([first, ...others]),
  });
}

function choicesOf(orders: readonly KeptOrder[]) {
  return {
    header: ['id', 'store', 'order', 'number', 'state'],
    rows: orders.map(({ id, storeName, orderId, number, state }) => [`id:${id}`, storeName, orderId, number, state]),
  };
}

async function unknownOrder({ pool }: Deps, named: string): Promise<Refusal> {
  const last = await lastWebhooks(pool, 3);
  const en = last.map(({ name, ageSeconds }) => `last webhook of ${name}: ${ageSeconds === null ? 'none' : ageWords(ageSeconds, 'en')}`);
  const bg = last.map(({ name, ageSeconds }) => `последно известие от ${name}: ${ageSeconds === null ? 'няма' : ageWords(ageSeconds, 'bg')}`);
  return new Refusal('missing', {
    en: `no webhook of an order ${named} has come (${last.length === 0 ? 'no store is connected' : en.join(', ')})`,
    bg: `не е дошло известие за поръчка ${named} (${last.length === 0 ? 'няма свързан магазин' : bg.join(', ')})`,
    advice: '`orderbridge orders` lists the known ones',
  });
}

/** By the first that they stay below: seconds, what they are counted in, and its names. */
const AGES = [
  [120, 1, 's', 'сек.'],
  [7_200, 60, 'min', 'мин.'],
  [172_800, 3_600, 'h', 'ч.'],
  [Number.POSITIVE_INFINITY, 86_400, 'days', 'дни'],
] as const;

function ageWords(seconds: number, lang: Lang): string {
  const [, unit, en, bg] = AGES.find(([below]) => seconds < below) ?? AGES[3];
  const age = Math.max(0, Math.round(seconds / unit));
  return lang === 'en' ? `${age} ${en} ago` : `преди ${age} ${bg}`;
}
