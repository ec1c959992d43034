import { hash, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Core } from '../../../src/app/core.ts';
import { openQueues } from '../../../src/app/queues.ts';
import type { AcceptedDelivery } from '../../../src/bridge/delivery/jobs.ts';
import { bridgeMails, MAILBOX_MAIL } from '../../../src/bridge/ledger/alerts/merchant-incidents.ts';
import { findDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { putInInbox } from '../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { admitDelivery } from '../../../src/bridge/ledger/deliveries/store-hosts.ts';
import { listEvents } from '../../../src/bridge/ledger/events/event-store.ts';
import { findOnboarding, insertOnboarding, saveOnboarding, wayCodes } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { everyPerson } from '../../../src/bridge/ledger/people/people-store.ts';
import { listExports, storeExport } from '../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import { addEndpoint } from '../../../src/operations/events.ts';
import { statusLink } from '../../../src/operations/onboarding/invitations.ts';
import { sealStore } from '../../../src/operations/onboarding/kept-store.ts';
import { signInLink } from '../../../src/operations/people/links.ts';
import { addPerson } from '../../../src/operations/people/people.ts';
import { enrolFactor } from '../../../src/operations/people/second-factor.ts';
import { openSession, signedInBy } from '../../../src/operations/people/sessions.ts';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { mailboxMark } from '../../../src/platform/mail/mailboxes.ts';
import { makeCode } from '../../../src/platform/mail/mailed-codes.ts';
import { mailboxPlace, queueMail } from '../../../src/platform/mail/outbox.ts';
import { inTransaction, type Pool, sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { newTotpSecret } from '../../../src/platform/totp.ts';
import { codeOfSecret } from '../console/authenticator.ts';
import { BY_TEST, codeOf } from '../console/chosen-password.ts';
import { EventReceiver } from '../events/event-receiver.ts';
import { type Bridge, type Connected, orderOf } from '../worlds/bridge.ts';
import { ownShop } from '../worlds/own-service.ts';
import { until } from '../worlds/settled.ts';
import { needle, unpacked } from './search-dump.ts';

const mails = rowsOf('mails', z.object({ id: z.string(), sealed: z.string() }));
const bodies = rowsOf('deliveries', z.object({ id: z.string() }));
const mailbox = (): string => `${needle()}@shop.example`;
const several = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one);

/** A delivery as the receiver takes it. */
export function accepted({ connection }: Connected, order: Record<string, unknown>): AcceptedDelivery {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  const normalized = standard.normalize({ topic: 'order.paid', deliveryId: null, store: null }, JSON.parse(body));
  return {
    ...{ id: randomUUID(), connectionId: connection.id, arrivedAt: new Date().toISOString(), topic: 'order.paid', platformDeliveryId: null, store: null },
    ...{ body: zstdCompressSync(body).toString('base64'), normalized },
  };
}

/** The addresses that mails alone have. */
async function inMails(pool: Pool): Promise<string[]> {
  const rows = await readRows(pool, mails, { text: `select id, ref ->> 'mailbox' as sealed from mails where ref ? 'mailbox'` });
  return rows.map(({ id, sealed }) => sealerOf(pool).open(sealed, mailboxPlace('bridge', id)));
}

/** So many buyers with their bodies, mailboxes of people and merchants, and tokens; all of them are known, so that they can be looked for. */
export class KnownData {
  readonly #connected: Connected;
  readonly #shopId: string;
  readonly #buyers: { email: string; phone: string; firstName: string; lastName: string }[];
  readonly #notes: string[];
  readonly #odd = [needle(), needle()] as const;
  readonly #mailboxes: string[] = [];
  readonly #progress: string[] = [];
  readonly #ways: string[] = [];
  readonly #endpoints: string[] = [];
  /** Nothing of them is kept for reading: secrets of links and sessions, and what is sealed for others. */
  readonly #tokens: string[] = [];

  private constructor(connected: Connected, shopId: string, count: number) {
    this.#connected = connected;
    this.#shopId = shopId;
    this.#buyers = several(count, () => ({ email: mailbox(), phone: needle(), firstName: needle(), lastName: needle() }));
    this.#notes = several(count, needle);
  }

  /** All but two of the buyers are recorded; those wait, see `wait`. */
  static async fill(bridge: Bridge, count: number): Promise<KnownData> {
    const { shopId } = await ownShop({ bridge });
    const secret = `whsec_${Buffer.from(needle()).toString('base64')}`;
    const access = { url: 'https://corner.example', consumerKey: needle(), consumerSecret: needle() };
    const connected = await bridge.connect({ shopId, secret });
    await bridge.connect({ name: 'other', access });
    const data = new KnownData(connected, shopId, count);
    data.#tokens.push(secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString(), access.consumerKey, access.consumerSecret);
    // Nobody takes the events of one, which wait; the other's answers repeat them.
    await data.#addEndpoint(bridge, 'http://127.0.0.1:9/');
    await using receiver = await EventReceiver.start();
    receiver.reply = ({ body }) => ({ status: 200, body: body.toString() });
    await data.#addEndpoint(bridge, receiver.url);
    await data.#sell(bridge, count - 2);
    await until(async () => (await data.#answers(bridge.pool)).length === count - 2, { what: 'the events to be answered' });
    await data.#keepOdd(bridge);
    for (let n = 0; n < count / 4; n += 1) await data.#addPerson(bridge);
    for (let n = 0; n < count / 2; n += 1) await data.#addMerchant(bridge);
    for (let n = 0; n < count; n += 1) await data.#addDestination(bridge);
    return data;
  }

  /** Of which no copy without the key shows anything. */
  get all(): string[] {
    return [...this.#kept, ...this.#tokens];
  }

  /** What anyone could make who guesses a mailbox. */
  get guesses(): string[] {
    return this.#mailboxes.map((one) => hash('sha256', one));
  }

  get #inBuyers(): string[] {
    return this.#buyers.flatMap((buyer) => Object.values(buyer));
  }

  get #kept(): string[] {
    return [...this.#inBuyers, ...this.#notes, ...this.#odd, ...this.#mailboxes, ...this.#progress];
  }

  #order(n: number): Record<string, unknown> {
    return orderOf(`o${n}`, { customer: this.#buyers[n], metadata: { note: this.#notes[n] } });
  }

  async #sell(bridge: Bridge, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) expect(await bridge.send(this.#connected, 'order.paid', { order: this.#order(n) })).toBe(200);
    for (let n = 0; n < count; n += 1) await bridge.settled(this.#connected, `o${n}`, 'recorded');
  }

  /** A body that could not be read, one of another host, and an export. */
  async #keepOdd(bridge: Bridge): Promise<void> {
    const { pool } = bridge;
    const { connection } = this.#connected;
    expect(await bridge.send(this.#connected, 'order.paid', { order: { id: this.#odd[0] } })).toBe(200);
    const delivery = accepted(this.#connected, { note: this.#odd[1] });
    await admitDelivery(pool, { delivery, host: 'other.example', store: 'corner', undecided: false });
    const [first] = (await keptOrders(pool, {})).orders;
    const scope = { shopId: this.#shopId, platform: 'standard', store: first?.store ?? '', until: new Date().toISOString(), orderIds: ['o0'] };
    await storeExport(pool, scope, { connectionId: connection.id, requestId: 'r1' });
    const kept = () => readRows(pool, bodies, { text: `select id from deliveries where outcome in ('review', 'quarantined')` });
    await until(async () => (await kept()).length === 2, { what: 'both to be kept' });
  }

  async #addPerson({ pool, app }: Bridge): Promise<void> {
    const email = mailbox();
    const { person, link } = await addPerson(app.core, { email, name: '', role: 'owner', shops: null, lang: 'en', ...BY_TEST });
    const session = await openSession({ pool }, { person, way: 'password', agent: 'test' });
    const mailed = await signInLink({ pool }, { email, to: '/' });
    const factor = newTotpSecret();
    const signedIn = await signedInBy({ pool }, session?.token ?? '');
    const deps = { pool, sealer: sealerOf(pool), isFactorRequired: true, url: null, now: () => new Date() };
    const codes = signedIn === null ? null : await enrolFactor(deps, signedIn, { secret: factor, code: codeOfSecret(factor) });
    expect(codes).toHaveLength(10);
    this.#mailboxes.push(email);
    this.#tokens.push(codeOf(link), codeOf(mailed?.path ?? ''), session?.token ?? '', factor, ...(codes ?? []));
  }

  async #addMerchant({ pool }: Bridge): Promise<void> {
    const [email, typed, confirmed, before, host] = [mailbox(), mailbox(), mailbox(), mailbox(), needle()] as const;
    const way = await insertOnboarding(pool, { who: 'cli:test', email, mailTo: typed, lang: 'en', shopId: null, destinationId: null, days: 14 });
    const storeKey = needle();
    const sealed = sealStore(sealerOf(pool), way.id, { access: { url: `https://${host}.example`, consumerSecret: storeKey } });
    await saveOnboarding(pool, way, { step: 'store', progress: { url: `https://${host}.example` }, sealed });
    const browser = needle();
    const code = { ownerId: way.id, browser, at: new Date(), mailbox: mailboxMark(pool, confirmed), isConfirmed: true, address: confirmed };
    expect(await makeCode(pool, wayCodes, code)).not.toBeNull();
    // Its mail server is down.
    await inTransaction(pool, async (tx) => {
      await queueMail(tx, bridgeMails, {
        ...{ kind: MAILBOX_MAIL, ref: { onboarding: way.id }, mailbox: before, ownerId: way.id },
        ...{ dedupKey: randomUUID(), now: new Date() },
      });
      await tx.query(`update jobs set due_at = now() + interval '1 day' where kind = 'bridge-mail' and lease is null`);
    });
    this.#ways.push(way.id);
    this.#mailboxes.push(email, typed, before);
    this.#progress.push(host);
    this.#tokens.push(confirmed, browser, storeKey, await statusLink({ pool }, way));
  }

  async #addEndpoint({ app: { core } }: Bridge, url: string): Promise<void> {
    const { id, secret } = await addEndpoint(core, { url, withBuyers: true, ...BY_TEST });
    this.#endpoints.push(id);
    this.#tokens.push(secret.slice(6));
  }

  /** What was answered to events, and repeats a buyer. */
  async #answers(pool: Pool): Promise<string[]> {
    const events = await Promise.all(this.#endpoints.map((id) => listEvents(pool, id, 2 * this.#buyers.length)));
    return events.flat().flatMap(({ answer }) => (answer?.includes('"buyer"') === true ? [answer] : []));
  }

  async #addDestination({ app: { core } }: Bridge): Promise<void> {
    const [apiKey, apiSecret] = [needle(), needle()];
    await core.destinations.ensure('https://api.example', { apiKey, apiSecret });
    this.#tokens.push(apiKey, apiSecret);
  }

  /** The last two come while nothing is recorded: one is on the queue, the other in the inbox. */
  async wait(core: Core): Promise<void> {
    await using queues = openQueues(core);
    await queues.addDeliveries({ v: 1, deliveries: [accepted(this.#connected, this.#order(this.#buyers.length - 2))] });
    await putInInbox(core.pool, accepted(this.#connected, this.#order(this.#buyers.length - 1)));
  }

  async waitingRecorded(bridge: Bridge): Promise<void> {
    for (const n of [2, 1]) await bridge.settled(this.#connected, `o${this.#buyers.length - n}`, 'recorded');
  }

  /** What can't be read by a core: of buyers here and at the service, bodies, mailboxes, what was typed. */
  async unread({ app: { core } }: Bridge): Promise<string[]> {
    const { pool } = core;
    const ids = await readRows(pool, bodies, { text: 'select id from deliveries where body is not null union all select delivery_id from bodies' });
    const opened = await Promise.all(ids.map(async ({ id }) => (await findDelivery(pool, id))?.body));
    const { orders } = await keptOrders(pool, { limit: this.#buyers.length + 10 });
    const ways = await Promise.all(this.#ways.map((id) => findOnboarding(pool, id)));
    const kept = opened.flatMap((body) => (body ? [...unpacked(body)] : [])).map(String);
    const all = JSON.stringify([kept, orders.map(({ customer }) => customer), await listExports(pool), await everyPerson(pool), ways, await inMails(pool)]);
    const atService = JSON.stringify((await recordedOrdersOf(core, { shop: this.#shopId, limit: this.#buyers.length })).orders);
    const answered = (await this.#answers(pool)).join();
    return [
      ...this.#inBuyers
        .slice(0, -8)
        .filter((one) => !answered.includes(one))
        .map((one) => `${one} in an answer`),
      ...this.#kept.filter((one) => !all.includes(one)),
      ...this.#inBuyers.filter((one) => !atService.includes(one)).map((one) => `${one} at the service`),
    ];
  }
}
