import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { findOrder } from '../../bridge/ledger/orders/read-orders.ts';
import type { Delivery, Storefront, TestOrder } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/read-payload.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import type { OrderReport } from './order-report.ts';
import { showOrder } from './show-order.ts';

/** `id`: digits that no order of the store has. `now`: ms since 1970. `signedAt`: if it is sent later. `order`: a body of the store's, sent as it is. */
type Wanted = { id: string; now: number; signedAt?: number; order?: unknown };

export function newTestId(now: number): string {
  return `${now}${randomInt(100, 1_000)}`;
}

/** What is sent, and the order that it tells of. */
export type PreparedTest = { orderId: string; deliveries: readonly Delivery[] };

/** The signed deliveries of a test order. Refuses what would not be taken as an order: nothing is sent then. */
export function prepareTest(storefront: Storefront, connection: Connection, wanted: Wanted): PreparedTest {
  const deliveries = storefront.testDeliveries?.(testOf(connection, wanted)) ?? [];
  return { orderId: orderIn(storefront, deliveries), deliveries };
}

type SampleWanted = Pick<Wanted, 'id' | 'now'> & { topic: string };

/** What a store would send of a topic, and before it of the same order. Each is to be settled before the next. */
export function prepareSample(storefront: Storefront, connection: Connection, { topic, ...wanted }: SampleWanted): PreparedTest[] {
  const { name, samples = {} } = storefront;
  const sample = ownValue(samples, topic);
  if (sample === undefined) {
    const none = { en: `no webhook ${topic} can be made up for ${name}`, bg: `за ${name} не може да бъде съставено известие ${topic}` };
    const known = Object.keys(samples).join(', ');
    throw new Refusal('invalid', { ...none, advice: { en: `these can: ${known}`, bg: `може за: ${known}` } });
  }
  return sample(testOf(connection, wanted)).map((deliveries) => ({ orderId: wanted.id, deliveries }));
}

/** Are its orders no real tax records, because its shop is a test shop of our own compliance service? */
export async function isForTests({ pool }: { pool: Pool }, { shopId }: Pick<Connection, 'shopId'>): Promise<boolean> {
  return (await hasService(pool)) && (await readShop(pool, { id: shopId }))?.test === true;
}

export function notForTests({ name }: Pick<Connection, 'name'>): Refusal {
  const not = { en: `${name} is no store for tests: its orders are tax records`, bg: `${name} не е магазин за проби: поръчките му са данъчни записи` };
  const advice = 'take one of the demo, or of a test shop of our own compliance service; `orderbridge send-test` sends a real order';
  return new Refusal('conflict', { ...not, advice });
}

function testOf(connection: Connection, { id, now, signedAt = now, order }: Wanted): TestOrder {
  const [secret] = liveSecrets(connection, signedAt);
  if (connection.closedAt !== null) {
    const said = { en: `${connection.id} was disconnected`, bg: `${connection.id} е изключена` };
    throw new Refusal('conflict', { ...said, advice: { en: 'connect the store again', bg: 'свържете магазина отново' } });
  }
  if (secret === undefined) {
    const said = { en: `${connection.id} has no secret that could sign`, bg: `${connection.id} няма таен ключ, с който да се подпише` };
    throw new Refusal('conflict', { ...said, advice: '`orderbridge rotate-secret` gives it one' });
  }
  // A store that is kept apart has a key that its deliveries never say.
  const store = connection.isApart ? null : connection.store;
  return { id, now, signedAt, secret, store, order };
}

function orderIn(storefront: Storefront, [first]: readonly Delivery[]): string {
  if (first === undefined) {
    const none = { en: `no test order can be made up for ${storefront.name}`, bg: `за ${storefront.name} не може да бъде съставена пробна поръчка` };
    throw new Refusal('invalid', { ...none, advice: { en: 'place one in the store', bg: 'направете я в магазина' } });
  }
  const parsed = parseJson(first.body);
  const said = storefront.normalize(storefront.envelope(first.headers), parsed.ok ? parsed.value : null);
  if (said.kind === 'order') return said.news.orderId;
  const why = said.kind === 'unreadable' ? said.problems.map(({ detail }) => detail).join('; ') : `it says: ${said.kind}`;
  const not = { en: `that is no order of ${storefront.name} (${why})`, bg: `това не е поръчка на ${storefront.name} (${why})` };
  throw new Refusal('invalid', { ...not, advice: { en: 'nothing was sent', bg: 'нищо не беше изпратено' } });
}

const WAIT_MS = 30_000;
const LOOK_MS = 200;
const ANSWER_MS = 15_000;

/** `address`: of the store's webhooks. `onSent`: it was taken; what becomes of it is waited for. */
type Sending = { connectionId: string; prepared: PreparedTest; address: string; by: Actor; signal: AbortSignal; onSent?(): void };

/** Sends a test order as the store would, and waits until nothing is left to do for it. */
export async function sendTest(deps: Deps, { connectionId, prepared, address, by, signal, onSent }: Sending): Promise<OrderReport> {
  const { orderId, deliveries } = prepared;
  const since = await lastArrival(deps, { connectionId, orderId });
  await writeBridgeActs(deps.pool, [{ who: by, act: 'store.tested', connectionId, subject: orderId }]);
  for (const delivery of deliveries) await post(address, delivery);
  onSent?.();
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline && !signal.aborted; await sleep(LOOK_MS)) {
    const report = await finishedTest(deps, { connectionId, orderId, since });
    if (report !== null) return report;
  }
  const said = { en: `nothing came of it in ${WAIT_MS / 1000} s`, bg: `до ${WAIT_MS / 1000} сек. нищо не излезе от нея` };
  const [order, doctor] = [`\`orderbridge order ${connectionId} ${orderId}\``, '`orderbridge doctor`'];
  throw new Refusal('unavailable', {
    ...said,
    advice: { en: `${order} shows it later, ${doctor} what is wrong`, bg: `${order} я показва по-късно, ${doctor} какво не е наред` },
  });
}

async function post(address: string, { headers, body }: Delivery): Promise<void> {
  const request = { method: 'POST', headers: Object.fromEntries(headers), body: new Uint8Array(body), signal: AbortSignal.timeout(ANSWER_MS) };
  const response = await fetch(address, request).catch((thrown: unknown) => {
    const why = errorWords(thrown);
    throw new Refusal('unavailable', { en: `${address} does not answer: ${why}`, bg: `${address} не отговаря: ${why}` });
  });
  const said = (await response.text()).slice(0, 500);
  if (response.status === 200) return;
  throw new Refusal('unavailable', { en: `${address} answered ${response.status}: ${said}`, bg: `${address} отговори ${response.status}: ${said}` });
}

type OrderRef = { connectionId: string; orderId: string };
type Deps = { pool: Pool; connections: FindConnection };

/** When the last of its webhooks came; '': none did. */
async function lastArrival(deps: Deps, order: OrderRef): Promise<string> {
  if ((await findOrder(deps.pool, order.connectionId, order.orderId)) === null) return '';
  const { deliveries } = await showOrder(deps, order);
  return (
    deliveries
      .map(({ arrivedAt }) => arrivedAt)
      .sort()
      .at(-1) ?? ''
  );
}

/** The order once nothing is left to do for what was sent; null: not yet. `since`: ISO instant; what was sent came later. */
async function finishedTest(deps: Deps, { connectionId, orderId, since }: OrderRef & { since: string }): Promise<OrderReport | null> {
  if ((await findOrder(deps.pool, connectionId, orderId)) === null) return null;
  const report = await showOrder(deps, { connectionId, orderId });
  const hasCome = report.deliveries.some(({ arrivedAt }) => arrivedAt > since);
  return !hasCome || report.pending || report.state === 'queued' ? null : report;
}
