import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../bridge/connections/connection.ts';
import { findOrder } from '../bridge/ledger/orders/read-orders.ts';
import type { Lang } from '../contract/messages.ts';
import { recordedOrdersOf } from '../operations/service/recorded-orders.ts';
import { CliError } from '../platform/terminal/context.ts';
import type { DemoStore } from './demo-stores.ts';
import { inLanguage } from './demo-words.ts';
import type { DemoWorld } from './demo-world.ts';
import type { Progress } from './progress.ts';
import type { DemoStoreApi } from './store-api.ts';
import { type DemoPlatform, evaluate, type Story, type StoryResult, type StoryWebhook } from './story.ts';

/** `lang`: of what is sold. */
export type DemoRun = { world: DemoWorld; progress: Progress; signal: AbortSignal; storeApi: DemoStoreApi; lang: Lang };

/** An order of the demo and how it ended. */
export type StoryOutcome = { store: DemoStore; connectionId: string; story: Story; result: StoryResult };

export type DemoConnection = { store: DemoStore; connection: Connection };

const LOOK_MS = 100;
const TIMEOUT_MS = 45_000;
const REFUSED = 401;
const MOST_ORDERS = 100;
const BY_SIGNAL = 130;

/** Connects the stores, sends both acts, waits until nothing is left to do after each, and judges how every order ended. */
export async function playStories(run: DemoRun, stores: readonly DemoStore[]): Promise<StoryOutcome[]> {
  const { world, progress } = run;
  const connected: DemoConnection[] = [];
  for (const store of stores) {
    const hasApi = store.platform === 'woocommerce';
    const connection = await world.connect(store, hasApi ? run.storeApi.access : null);
    if (hasApi) run.storeApi.deliverTo(addressOf(run, { store, connection }));
    connected.push({ store, connection });
    progress.say(`✓ connected: ${store.title}`);
  }
  progress.say('\nOrders come in:');
  await sendAct(run, connected, 1);
  await progress.during('nothing is left to do', drained(run));
  progress.say('\nLater: refunds, edits, deliveries, and webhooks once more:');
  await sendAct(run, connected, 2);
  await progress.during('nothing is left to do', drained(run));
  return evaluateAll(run, connected);
}

async function sendAct(run: DemoRun, connected: readonly DemoConnection[], act: 1 | 2): Promise<void> {
  for (const { store, connection } of connected) {
    const { platform, stories, crowd } = store;
    for (const { number, webhooks } of stories) {
      for (const webhook of webhooks.filter((each) => each.act === act)) {
        const status = await send(run, { store, connection }, webhook);
        run.progress.sent({ platform, topic: webhook.topic, number, status });
      }
    }
    if (crowd === undefined || act === 2) continue;
    for (const webhook of crowd.webhooks) await send(run, { store, connection }, webhook);
    run.progress.sent({ platform, topic: crowd.topic, number: crowd.numbers, status: 200 });
  }
}

function addressOf({ world }: Pick<DemoRun, 'world'>, { store, connection }: DemoConnection): string {
  return `${world.app.url}/webhooks/${store.platform}/${connection.id}`;
}

/** A webhook that can't be kept in time is sent again, as platforms do: on a machine whose disk is busy. */
const RESENDS = 5;

/** Sends one webhook, and returns the status of its answer; throws if that is not as it should be. */
export async function send({ world, signal, lang }: DemoRun, { store, connection }: DemoConnection, webhook: StoryWebhook): Promise<number> {
  let status = 503;
  for (let left = RESENDS; status === 503 && left >= 0; left -= 1) {
    stopIfAborted(signal);
    status = await sendWebhook(addressOf({ world }, { store, connection }), store, inLanguage(webhook, lang));
  }
  if (status !== (webhook.forged === true ? REFUSED : 200)) throw new CliError(`a webhook ${webhook.topic} of ${store.title} was answered ${status}`);
  return status;
}

/** False after a time limit: the table then shows how far it came. */
export async function drained({ world, signal }: DemoRun): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await world.isDrained())) {
    if (performance.now() >= deadline) return false;
    stopIfAborted(signal);
    await sleep(LOOK_MS);
  }
  return true;
}

async function evaluateAll({ world }: DemoRun, connected: readonly DemoConnection[]): Promise<StoryOutcome[]> {
  const outcomes: StoryOutcome[] = [];
  for (const { store, connection } of connected) {
    const { orders: current } = await recordedOrdersOf(world.service.audit, { shop: connection.shopId, limit: MOST_ORDERS });
    for (const story of store.stories) {
      const order = await findOrder(world.app.core.pool, connection.id, story.orderId);
      outcomes.push({ store, connectionId: connection.id, story, result: evaluate(story, order, current) });
    }
    const strays = current.filter(({ internalId }) => !store.stories.some(({ orderId }) => orderId === internalId));
    if (strays.length > 0) throw new CliError(`${strays.length} records of ${store.title} belong to no order of it`);
  }
  return outcomes;
}

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CliError('the demo was stopped before its end', BY_SIGNAL);
}

/** How each platform signs its webhooks, and their other headers. */
const signers = {
  shopify: ({ secret, store, topic, body }) => ({
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': store,
    'x-shopify-webhook-id': randomUUID(),
    'x-shopify-api-version': '2026-10',
    'x-shopify-hmac-sha256': hmac(secret, body),
  }),
  woocommerce: ({ secret, store, topic, body }) => ({
    'x-wc-webhook-source': `${store}/`,
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-delivery-id': randomBytes(16).toString('hex'),
    'x-wc-webhook-signature': hmac(secret, body),
  }),
  standard: ({ secret, body }) => {
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hmac(key, `${id}.${timestamp}.${body}`)}` };
  },
} satisfies Record<DemoPlatform, (signing: { secret: string; store: string; topic: string; body: string }) => Record<string, string>>;

/** Sends a webhook as its platform does; returns the status of the answer. */
async function sendWebhook(address: string, { platform, secret, store }: DemoStore, { topic, body, forged }: StoryWebhook): Promise<number> {
  const text = JSON.stringify(body);
  const signed = signers[platform]({ secret: forged === true ? `not ${secret}` : secret, store, topic, body: text });
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body: text });
  await response.arrayBuffer();
  return response.status;
}

function hmac(key: string | Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}
