import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Said } from '../../../contract/said.ts';
import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { Subscription, Subscriptions, WantedSubscription } from '../store-reader.ts';
import { wooWebhook } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import { restOf } from './rest.ts';
import { utc } from './snapshot.ts';

const PER_PAGE = 100;
const MAX_PAGES = 20;
const FIELDS = Object.keys(wooWebhook.shape).join(',');

// WordPress' form changes tags, "%" with two digits, double spaces and "&": it leaves these as they are.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_LENGTH = 50;

export const subscriptions: Subscriptions = { list, create, remove, hasSecrets: true, newSecret, steps };

const webhooks = z.array(wooWebhook);

async function list(access: StoreAccess, means: StoreMeans): Promise<Subscription[]> {
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
