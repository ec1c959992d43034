import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Said } from '../../../contract/said.ts';
import { Failure } from '../../order/facts/failure.ts';
import { absolute, addUp, asMoney, subtract } from '../amounts.ts';
import type { Remains, StoreAccess, StoreApi, StoreMeans } from '../contract.ts';
import type { ChangedPage, ChangedQuery, OrderSummary, Subscription, Subscriptions, WantedSubscription } from '../store-reader.ts';
import { changedAt, lifecycleOf, paymentOf, utc } from './normalize.ts';
import { type WooPlaced, type WooSummary, wooPlaced, wooSummary, wooWebhook } from './payload.ts';
import { complete, ordersById } from './read-orders.ts';
import { identify, type Rest, readAnswer, restFailure, restOf, storeName, type Way } from './rest.ts';

// WordPress' form changes tags, "%" with two digits, double spaces and "&": it leaves these as they are.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 50;

const webhooks = z.array(wooWebhook);
const FIELDS = Object.keys(wooWebhook.shape).join(',');

const PER_PAGE = 100;
const MAX_PAGES = 20;

export const subscriptions: Subscriptions = { list: listed, create, remove, hasSecrets: true, newSecret, steps };

const drawbacks: Record<Way['auth'], readonly string[]> = {
  basic: [],
  query: [
    'The store’s web server takes the Authorization header away, so that the REST key is sent in addresses, which its logs keep: have the host pass the header on.',
  ],
  oauth: [
    'The store is called over http://, where everybody on the way can read its orders: give its https:// address with `orderbridge reconnect CONNECTION --store-url`.',
  ],
};

const list = z.array(z.object({ id: z.unknown() }));

const SECOND_MS = 1_000;

const placed = z.array(wooPlaced);
/** A second whose orders never come in the same order twice is passed after so many tries. */
const MOST_RESTARTS = 3;
const items = z.array(z.unknown());

const SUMMARY_FIELDS = Object.keys(wooSummary.shape).join(',');

/** The REST API of WooCommerce, version v3, with a key of WooCommerce → Settings → Advanced → REST API. */
export const api: StoreApi = {
  words: 'with the two keys, what webhooks leave out or lose is read from it (WooCommerce)',
  credentials: {
    consumerKey: {
      placeholder: 'key',
      words: 'key of the store’s REST API, with read permission; with read/write, webhooks that stopped are made anew',
      bg: 'ключ за REST API на магазина с право на четене; с право и на писане спрелите известия се създават отново',
    },
    consumerSecret: { placeholder: 'secret', words: 'secret of the store’s REST API', bg: 'тайната към ключа за REST API на магазина' },
  },
  complete,
  identify,
  changedSince,
  // The time of change is set when a save begins, and shows when it has ended: a web request may take a minute.
  lagMs: 60_000,
  storeName,
  ordersById,
  ordersAtOnce: 25,
  checkAccess,
  subscriptions,
};

/** Reads one order, and tries whether the key may write, by a webhook without topic and address, which no store takes. */
export async function checkAccess(access: StoreAccess, means: StoreMeans): Promise<string[]> {
  const rest = restOf(access, means);
  try {
    const tried = await rest.call({ path: `orders?per_page=1&_fields=id&${rest.uncached}` });
    if (tried.answer.status !== 200) throw restFailure(access, tried);
    readAnswer(list, tried.answer.body);
    return [...drawbacks[tried.way.auth], ...(await writing(rest))];
  } catch (thrown) {
    if (thrown instanceof Failure) return [sentence(thrown)];
    throw thrown;
  }
}

async function writing(rest: Rest): Promise<string[]> {
  const { status } = (await rest.call({ path: 'webhooks', method: 'POST', body: {} })).answer;
  if (status !== 401 && status !== 403) return [];
  return [
    'The REST key may only read, so that webhooks which stop working are not made anew: make one with Read/Write rights under WooCommerce → Settings → Advanced → REST API, and give it with `orderbridge reconnect`.',
  ];
}

function sentence({ code, message }: Failure): string {
  // It may begin with a host's name, which is written as it is.
  return `${message.slice(`${code}: `.length).replace(/^the /, 'The ')}.`;
}

async function listed(access: StoreAccess, means: StoreMeans): Promise<Subscription[]> {
  const rest = restOf(access, means);
  const all = new Map<string, Subscription>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const path = `webhooks?status=all&orderby=id&order=asc&per_page=${PER_PAGE}&page=${page}&_fields=${FIELDS}&${rest.uncached}`;
    const listed = readAnswer(webhooks, await rest.get(path)).map(toSubscription);
    for (const one of listed) all.set(one.id, one);
    if (listed.length < PER_PAGE) return [...all.values()];
  }
  throw new Failure('storefront.unreachable', `the store has more than ${PER_PAGE * MAX_PAGES} webhooks: remove those that nobody needs`);
}

/** The store tries the address within the request. It is always active, whatever is asked for. */
async function create(access: StoreAccess, { topic, address, secret }: WantedSubscription, means: StoreMeans): Promise<Subscription> {
  const body = { name: `orderbridge ${topic}`, topic, delivery_url: address, ...(secret === null ? {} : { secret }) };
  const answer = await restOf(access, means).find({ path: 'webhooks', method: 'POST', body });
  return toSubscription(readAnswer(wooWebhook, answer.found ? answer.body : null));
}

async function remove(access: StoreAccess, id: string, means: StoreMeans): Promise<void> {
  await restOf(access, means).find({ path: `webhooks/${encodeURIComponent(id)}?force=true`, method: 'DELETE' });
}

function toSubscription({ id, topic, delivery_url, status, date_modified_gmt }: z.output<typeof wooWebhook>): Subscription {
  return { id, topic, address: delivery_url, state: status, attemptedAt: date_modified_gmt ? utc(date_modified_gmt) : null };
}

function newSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

function steps({ topic, address }: { topic: string; address: string }): Said {
  const event = topic.startsWith('action.') ? topic.slice('action.'.length) : null;
  const named = event === null ? `${topic.charAt(0).toUpperCase()}${topic.slice(1).replace('.', ' ')}` : 'Action';
  const where = 'WooCommerce → Settings → Advanced → Webhooks';
  return {
    en:
      `Under ${where}, remove the one with this address and topic, if there is one, and add another: ` +
      `Status “Active”, Topic “${named}”${event === null ? '' : ` with the action event ${event}`}, Delivery URL ${address}, the connection’s secret, API version “WP REST API Integration v3”.`,
    bg:
      `В ${where} премахнете това с този адрес и тази тема, ако го има, и добавете друго: ` +
      `Status „Active“, Topic „${named}“${event === null ? '' : ` със събитие ${event}`}, Delivery URL ${address}, тайната на връзката, API version „WP REST API Integration v3“.`,
  };
}

/** How many characters of a key the store shows in its list of keys. */
const SHOWN = 7;

/** What a person deletes in the store's own pages: the store lets no key delete a key. */
export const remains: Remains = {
  webhooks: (path) => ({
    en: `Webhooks whose Delivery URL ends with ${path} may still be in the store, and are refused here: delete them under WooCommerce → Settings → Advanced → Webhooks.`,
    bg: `В магазина може още да има известия, чийто адрес (Delivery URL) завършва на ${path}; тук те се отказват: изтрийте ги в WooCommerce → Настройки → Разширени → Webhooks.`,
  }),
  key: ({ consumerKey = '' }) => {
    const end = consumerKey.slice(-SHOWN);
    return {
      en: `The key that ends in …${end} still opens the store’s API: press “Revoke” at it under WooCommerce → Settings → Advanced → REST API.`,
      bg: `Ключът, който завършва на …${end}, още отваря API на магазина: натиснете „Revoke“ при него в WooCommerce → Настройки → Разширени → REST API.`,
    };
  },
};

/** `pages`: how many there are from here on; undefined: the store does not say it. */
type Listed = { placed: WooPlaced[]; summaries: OrderSummary[]; pages: number | undefined };

/**
 * Orders by time of change, then those in the trash, which are a list of their own. Pages drift while orders are saved, so that the next one begins
 * at the second in which the last one ended, not at a page number; only a second with more orders than a page is read by page.
 */
export async function changedSince(access: StoreAccess, { since, after, size }: ChangedQuery, means: StoreMeans): Promise<ChangedPage> {
  const rest = restOf(access, means);
  const at = (after === null ? null : readCursor(after)) ?? startOf('orders', since);
  const listed = await listChanged(rest, { ...at, size });
  const next = (await hasDrifted(rest, at, size)) ? again(at) : nextOf(at, listed, { since, size });
  return { summaries: listed.summaries, next: next === null ? null : writeCursor(next) };
}

type Wanted = ChangedCursor & { size: number };

async function listChanged(rest: Rest, wanted: Wanted): Promise<Listed> {
  const { body, pages } = await rest.list(pathOf(rest, wanted, SUMMARY_FIELDS));
  const read = readAnswer(placed, body);
  const summaries = readAnswer(items, body).map((item, index) => {
    const summary = wooSummary.safeParse(item);
    return summary.success ? [summaryOf(summary.data)] : read.slice(index, index + 1).map(unreadableSummary);
  });
  return { placed: read, summaries: summaries.flat(), pages };
}

function pathOf({ uncached }: Rest, { phase, after, page, size }: Wanted, fields: string): string {
  const status = phase === 'trash' ? 'trash' : 'any';
  const order = 'dates_are_gmt=true&orderby=modified&order=asc';
  return `orders?status=${status}&modified_after=${after}&${order}&per_page=${size}&page=${page}&_fields=${fields}&${uncached}`;
}

/** An order of this second that was saved meanwhile has left it, and all behind it have moved up, one of them to the page before. */
async function hasDrifted(rest: Rest, at: ChangedCursor, size: number): Promise<boolean> {
  if (at.page === 1 || at.restarts >= MOST_RESTARTS) return false;
  const before = readAnswer(placed, await rest.get(pathOf(rest, { ...at, page: at.page - 1, size }, 'id,date_created_gmt,date_modified_gmt')));
  return (before.at(-1)?.id ?? '') !== at.last;
}

function again(at: ChangedCursor): ChangedCursor {
  return { ...at, page: 1, last: '', restarts: at.restarts + 1 };
}

function nextOf(at: ChangedCursor, listed: Listed, { since, size }: { since: string; size: number }): ChangedCursor | null {
  const last = listed.placed.at(-1);
  // More orders may have changed in the second of the last one.
  const after = last === undefined ? at.after : secondBefore(changedAt(last));
  if (isLast(at, listed, { isNewer: after > at.after, size })) return at.phase === 'orders' ? startOf('trash', since) : null;
  return after > at.after ? { ...at, after, page: 1, last: '', restarts: 0 } : { ...at, page: at.page + 1, last: last?.id ?? '' };
}

/** A plugin may take orders out of a page, or allow smaller ones only: that one has few orders does not make it the last. */
function isLast({ page }: ChangedCursor, { placed: read, pages }: Listed, { isNewer, size }: { isNewer: boolean; size: number }): boolean {
  if (pages !== undefined) return page >= pages;
  // A store that does not say it is asked until nothing newer comes, which costs one in which nothing changed no request.
  return read.length < size && !isNewer;
}

/**
 * Where a page of changes begins. `phase`: the list, in this order. `after`: as `modified_after`, whole seconds in UTC, exclusive. `page`: above 1
 * only where one second has more orders than a page; then `last` is the order with which the page before ended. `restarts`: of that second.
 */
type ChangedCursor = { phase: 'orders' | 'trash'; after: string; page: number; last: string; restarts: number };

/** The first page of a list with what changed at `since` (ISO instant) or later. */
function startOf(phase: ChangedCursor['phase'], since: string): ChangedCursor {
  return { phase, after: secondBefore(since), page: 1, last: '', restarts: 0 };
}

/** The second before that of an instant, as `modified_after` names it. */
function secondBefore(instant: string): string {
  return new Date(Date.parse(instant) - SECOND_MS).toISOString().slice(0, 19);
}

function writeCursor({ phase, after, page, last, restarts }: ChangedCursor): string {
  return [phase, after, page, last, restarts].join('/');
}

/** null: it is of no cursor, and the sync run begins anew. */
function readCursor(text: string): ChangedCursor | null {
  const [, phase, after = '', page, last = '', restarts] = /^(orders|trash)\/([\d:T-]{19})\/(\d{1,6})\/(\d*)\/(\d{1,3})$/.exec(text) ?? [];
  if (phase === undefined || Number.isNaN(Date.parse(`${after}Z`))) return null;
  return { phase: phase === 'trash' ? 'trash' : 'orders', after, page: Number(page), last, restarts: Number(restarts) };
}

/** An order as a list shows it: each field as its snapshot would have it. */
export function summaryOf(order: WooSummary): OrderSummary {
  const { id, number, status, currency, date_created_gmt, date_paid_gmt, total, refunds } = order;
  const payment = paymentOf(order);
  const money = (amount: string) => asMoney(amount, currency) ?? amount;
  return {
    ...{ orderId: id, number: number || id, updatedAt: changedAt(order), status, lifecycle: lifecycleOf(order), payment, test: false, currency },
    total: money(total),
    soldAt: utc(date_paid_gmt ?? date_created_gmt),
    createdAt: utc(date_created_gmt),
    kept: payment === 'paid' && refunds ? money(subtract(total, addUp(refunds.map((refund) => absolute(refund.total))))) : null,
    refundIds: refunds?.map((refund) => refund.id) ?? null,
  };
}

/** An order of which a list says what can't be read: reading it whole shows what is wrong with it. */
function unreadableSummary(order: WooPlaced): OrderSummary {
  return {
    ...{ orderId: order.id, number: order.id, updatedAt: changedAt(order), status: '', lifecycle: 'live', payment: 'unpaid', test: false, currency: '' },
    ...{ total: '0', soldAt: utc(order.date_created_gmt), kept: null, refundIds: null },
  };
}
