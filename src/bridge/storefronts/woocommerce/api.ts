import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../../order/facts/failure.ts';
import { connectOptions } from '../connect-options.ts';
import type { OrderNotes, Remains, StoreAccess, StoreApi, StoreMeans } from '../contract.ts';
import { denialOf } from '../store-failure.ts';
import type { Subscription, Subscriptions, WantedSubscription } from '../store-reader.ts';
import { changedSince } from './changed-since.ts';
import { utc } from './normalize.ts';
import { wooWebhook } from './payload.ts';
import { complete, ordersById } from './read-orders.ts';
import { identify, type Rest, type RestAddress, readAnswer, restFailure, restOf, storeName } from './rest.ts';

// WordPress' form changes tags, "%" with two digits, double spaces and "&": it leaves these as they are.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 50;

const webhooks = z.array(wooWebhook);
const FIELDS = Object.keys(wooWebhook.shape).join(',');

const PER_PAGE = 100;
const MAX_PAGES = 20;

export const subscriptions: Subscriptions = { list: listed, create, remove, hasSecrets: true, newSecret, steps };

const noteList = z.array(z.object({ note: z.string() }));

const notesPath = (orderId: string) => `orders/${encodeURIComponent(orderId)}/notes`;

/** Null: the store has no such order. */
async function notesOf(rest: Rest, orderId: string): Promise<string[] | null> {
  const answer = await rest.find(`${notesPath(orderId)}?_fields=note&${rest.uncached}`);
  return answer.found ? readAnswer(noteList, answer.body).map(({ note }) => note) : null;
}

/** Private notes, which no customer sees and of which no webhook tells. */
export const orderNotes: OrderNotes = {
  async has(access, { orderId, words }, means) {
    const notes = await notesOf(restOf(access, means), orderId);
    return notes === null ? null : notes.some((note) => note.includes(words));
  },
  async write(access, { orderId, text }, means) {
    const rest = restOf(access, means);
    try {
      return (await rest.find({ path: notesPath(orderId), method: 'POST', body: { note: text } })).found ? 'written' : 'gone';
    } catch (thrown) {
      if (!(thrown instanceof Failure) || denialOf(thrown) === null) throw thrown;
      // Who may not even read is refused altogether.
      await notesOf(rest, orderId);
      return { refused: thrown.message };
    }
  },
};

const drawbacks: Record<RestAddress['auth'], readonly string[]> = {
  basic: [],
  query: [
    'The store’s web server takes the Authorization header away, so that the REST key is sent in addresses, which its logs keep: have the host pass the header on.',
  ],
  oauth: [
    'The store is called over http://, where everybody on the way can read its orders: give its https:// address with `orderbridge reconnect CONNECTION --store-url`.',
  ],
};

const list = z.array(z.object({ id: z.unknown() }));

/** The REST API of WooCommerce, version v3, with a key of WooCommerce → Settings → Advanced → REST API. */
export const api: StoreApi = {
  ...connectOptions.woocommerce.api,
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
  orderNotes,
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

function steps({ topic, address }: { topic: string; address: string }): string {
  const event = topic.startsWith('action.') ? topic.slice('action.'.length) : null;
  const named = event === null ? `${topic.charAt(0).toUpperCase()}${topic.slice(1).replace('.', ' ')}` : 'Action';
  return (
    'Under WooCommerce → Settings → Advanced → Webhooks, remove the one with this address and topic, if there is one, and add another: ' +
    `Status “Active”, Topic “${named}”${event === null ? '' : ` with the action event ${event}`}, Delivery URL ${address}, the connection’s secret, API version “WP REST API Integration v3”.`
  );
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
