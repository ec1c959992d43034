import { randomBytes, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { z } from 'zod';
import type { Core } from '../../../src/app/core.ts';
import { bridgeMails, MAILBOX_MAIL } from '../../../src/bridge/ledger/alerts/merchant-incidents.ts';
import { sealConnection } from '../../../src/bridge/ledger/connection-row.ts';
import { grantedTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import { bodiesUntil, noteDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { openEndpoint } from '../../../src/bridge/ledger/events/endpoint-store.ts';
import { createEventLedger, findEvent } from '../../../src/bridge/ledger/events/event-store.ts';
import { insertOnboarding, listOnboardings, saveOnboarding, wayCodes } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { createClaimStore } from '../../../src/bridge/ledger/orders/claim-store.ts';
import { fillSearch } from '../../../src/bridge/ledger/orders/order-search.ts';
import { keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { buyersOf } from '../../../src/bridge/ledger/orders/sent-with.ts';
import { everyPerson, insertPerson } from '../../../src/bridge/ledger/people/people-store.ts';
import { listExports, storeExport } from '../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { addEndpoint } from '../../../src/operations/events.ts';
import { keptStore, sealStore } from '../../../src/operations/onboarding/kept-store.ts';
import { confirmWithFactor, type FactorDeps } from '../../../src/operations/people/second-factor.ts';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { deliveryBody } from '../../../src/operations/webhooks/kept-webhook.ts';
import { PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import { makeCode, takeMailedCode } from '../../../src/platform/mail/mailed-codes.ts';
import { mailboxPlace, queueMail } from '../../../src/platform/mail/outbox.ts';
import { inTransaction } from '../../../src/platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { newTotpSecret } from '../../../src/platform/totp.ts';
import { createApiKeys } from '../../../src/service/keys/api-keys.ts';
import { placeOfBuyer } from '../../../src/service/orders/orders.ts';
import { issueReceipt } from '../../../src/service/receipts/issue-receipt.ts';
import { receiptMailBuilder } from '../../../src/service/receipts/receipt-mail.ts';
import { stornoMailBuilder } from '../../../src/service/receipts/storno-notice.ts';

const withId = rowsOf('any', z.object({ id: z.string() }));
const idsOf = async ({ pool }: Pick<Core, 'pool'>, text: string) => (await readRows(pool, withId, { text })).map(({ id }) => id);
const keysOf = ({ pool, sealer }: Core) => createApiKeys({ pool, sealing: sealer, dialectDefaults: embeddedDialect, now: () => new Date() });

type Code = { ownerId: string; browser: string; typed: string };
export type Filled = { shopId: string; codes: Code[]; apiKeys: string[] };

/** Seals two rows of each column that the orders of this shop, through two connections, did not seal. No program runs beside it. */
export async function fillSealedColumns(core: Core, shopId: string): Promise<Filled> {
  const codes: Code[] = [];
  for (const [n, { id }] of (await core.connections.list()).entries()) {
    await sealOfConnection(core, n, id);
    codes.push(await sealOfMerchant(core, n));
    await sealOfPerson(core, n);
  }
  const { orders } = await keptOrders(core.pool, {});
  for (const { id, complianceId } of orders) await sealOfOrder(core, { id, complianceId: complianceId ?? '', shopId });
  const [first] = orders;
  const scope = { shopId, platform: 'standard', store: first?.store ?? '', orderIds: orders.map(({ orderId }) => orderId), until: new Date().toISOString() };
  await storeExport(core.pool, scope, { connectionId: first?.connectionId ?? '', requestId: 'r1' });
  const { apiKey: second } = await keysOf(core).create({ multiShop: true });
  const own = await Promise.all((await core.destinations.list()).map(({ id, baseUrl }) => (baseUrl === null ? core.destinations.find(id) : null)));
  return { shopId, codes, apiKeys: [second, ...own.flatMap((one) => one?.credentials.apiKey ?? [])] };
}

async function sealOfConnection({ pool, sealer, destinations, connections, config }: Core, n: number, id: string): Promise<void> {
  const access = sealConnection(sealer, id).access({ url: `https://store${n}.example`, consumerKey: 'a' });
  await pool.query('update connections set store_access = $2 where id = $1', [id, access]);
  const token = { token: 'a', expiresAt: null, refreshToken: 'b', madeAt: new Date().toISOString(), of: 'c' };
  const sealedToken = sealer.seal(JSON.stringify(token), { table: 'bridge.store_tokens', column: 'token', id });
  await pool.query('insert into store_tokens (connection_id, token) values ($1, $2)', [id, sealedToken]);
  await destinations.ensure(`https://api${n}.example`, { apiKey: randomUUID(), apiSecret: 's' });
  const endpoint = await addEndpoint({ pool, connections, config }, { url: `https://events${n}.example/`, withBuyers: false, by: PROGRAM });
  const [event = ''] = await idsOf(
    { pool },
    `insert into events (endpoint, subject, type, data) values ('${endpoint.id}', 'order ${n}', 'order.recorded', '{}') returning id`,
  );
  const tried = { id: event, isSent: true, isDelivered: true, status: 200, answer: 'thanks', tookMs: 1, laterMs: 0 };
  await createEventLedger(pool).note(tried);
  const secrets = sealer.seal('[{"secret":"a","until":null}]', { table: 'bridge.store_apps', column: 'secrets', id: `app${n}` });
  await pool.query(`insert into store_apps (id, platform, client_id, secrets, kind, scopes) values ($1, 'shopify', $1, $2, 'custom', '{}')`, [
    `app${n}`,
    secrets,
  ]);
  const about = { topic: 'x', platformDeliveryId: null, store: null, normalized: { kind: 'ignored', why: 'a test' } } as const;
  const delivery = { id: randomUUID(), connectionId: id, arrivedAt: new Date().toISOString(), body: zstdCompressSync('{}').toString('base64'), ...about };
  await noteDelivery(pool, { delivery, outcome: 'review', code: null, detail: null });
}

async function sealOfMerchant({ pool, sealer }: Core, n: number): Promise<Code> {
  const mailboxes = { email: `a${n}@shop.example`, mailTo: `b${n}@shop.example` };
  const way = await insertOnboarding(pool, { who: 'cli:test', ...mailboxes, lang: null, shopId: null, destinationId: null, days: 1 });
  const sealed = sealStore(sealer, way.id, { access: null, secret: 'a' });
  await saveOnboarding(pool, way, { step: 'store', progress: { url: 'https://a.example' }, sealed });
  const of = { ownerId: way.id, browser: randomUUID(), at: new Date() };
  const typed = await makeCode(pool, wayCodes, { ...of, mailbox: randomBytes(32), isConfirmed: true, address: 'a@b.example' });
  const mail = { kind: MAILBOX_MAIL, ref: { onboarding: way.id }, mailbox: `c${n}@shop.example`, ownerId: way.id, dedupKey: randomUUID(), now: new Date() };
  await inTransaction(pool, (tx) => queueMail(tx, bridgeMails, mail));
  return { ownerId: of.ownerId, browser: of.browser, typed: typed ?? '' };
}

async function sealOfPerson({ pool, sealer }: Core, n: number): Promise<void> {
  const given = { email: `p${n}@shop.example`, name: '', role: 'owner', shops: null, lang: 'en' } as const;
  const person = await inTransaction(pool, (tx) => insertPerson(tx, given));
  const factor = sealer.seal(newTotpSecret(), { table: 'bridge.people', column: 'factor', id: person?.id ?? '' });
  await pool.query('update people set factor = $2 where id = $1', [person?.id, factor]);
}

const receiptOf = ({ pool }: Core, orderId: string) => issueReceipt(pool, { caller: { dialect: embeddedDialect }, orderId, now: new Date() });

async function sealOfOrder(core: Core, { id, complianceId, shopId }: { id: number; complianceId: string; shopId: string }): Promise<void> {
  const { pool, sealer } = core;
  await receiptOf(core, complianceId);
  const sentWith = sealer.seal('{"firstName":"Мария"}', { table: 'bridge.orders', column: 'open_step', id: String(id) });
  await pool.query(
    `update orders set open_step = jsonb_build_object('kind', 'create', 'seq', 1, 'idempotencyKey', 'k', 'destinationId', record_destination, 'uncertain', true,
      'receipt', false, 'buyer', 'kept', 'sentWith', $2::text) where id = $1`,
    [id, sentWith],
  );
  await pool.query(
    `insert into compliance.withdrawn_receipts (order_id, shop_id, internal_key, document_number, edition, withdrawn_at, sealed_email, details)
      select $1, $2, '', 1, 1, now(), $3, jsonb_build_object('seller', seller, 'english', false, 'orderNumber', '1', 'documentDate', '2026-11-01', 'total', '1.00',
        'precision', 2, 'currency', 'EUR') from compliance.receipts where order_id = $1`,
    [complianceId, shopId, sealer.seal('a@b.example', placeOfBuyer(complianceId))],
  );
}

/** By what is read: how many rows were. None of them may stop another. */
export async function readersOfMany(core: Core, { shopId, codes }: Filled): Promise<Record<string, () => Promise<number>>> {
  const { pool, sealer } = core;
  const { orders } = await keptOrders(pool, {});
  const deliveries = await idsOf(core, 'select id from deliveries where body is not null union all select delivery_id from bodies');
  const people = await everyPerson(pool);
  const factors: FactorDeps = { pool, sealer, now: () => new Date(), url: null, isFactorRequired: false };
  const signedIn = { session: randomUUID(), token: '', isConfirmed: false, isByFactor: false };
  const count = async (all: Promise<unknown>[]) => (await Promise.all(all)).length;
  return {
    connections: async () => (await core.connections.list()).length,
    apps: async () => (await core.apps.list()).length,
    destinations: async () => (await core.destinations.list()).length,
    // One that does not open is renewed by nobody.
    tokens: async () => Math.min(1, (await grantedTokens(pool, sealer)).length),
    onboardings: async () => (await listOnboardings(pool)).map((one) => keptStore(sealer, one)).length,
    people: async () => (await everyPerson(pool)).length,
    orders: async () => (await keptOrders(pool, {})).orders.length,
    begun: async () =>
      (
        await buyersOf(
          pool,
          orders.map(({ id }) => id),
        )
      ).size,
    exports: async () => (await listExports(pool)).flatMap(({ data }) => data.orders).length,
    bodies: () => count(deliveries.map((id) => bodiesUntil(pool, { id, orderRef: orders[0]?.id ?? 0 }, 5))),
    recorded: async () => (await recordedOrdersOf(core, { shop: shopId, limit: 10 })).orders.length,
    receipts: () => count(orders.map(({ complianceId }) => receiptOf(core, complianceId ?? ''))),
    search: () => count([fillSearch(pool, new AbortController().signal)]),
    codes: async () => {
      await pool.query('update mail_codes set opened_until = null, tries = 0');
      return count(codes.map((code) => takeMailedCode(pool, wayCodes, { ...code, at: new Date(), act: async () => true })));
    },
    factors: () => count(people.map((person) => confirmWithFactor(factors, { ...signedIn, person }, '123456'))),
  };
}

const mailRow = rowsOf('mails', z.object({ mailbox: z.string() }));

/** As a mail is opened when it is sent. */
async function sealedMailbox({ pool, sealer }: Core, id: string): Promise<string> {
  const { mailbox } = await readOne(pool, mailRow, { text: `select ref ->> 'mailbox' as mailbox from mails where id = $1`, values: [id] });
  return sealer.open(mailbox, mailboxPlace('bridge', id));
}

/** Each of a row. One that is changed may refuse, and does not change what another one answers. */
export async function readersOfOne(core: Core, { apiKeys }: Filled): Promise<(() => Promise<unknown>)[]> {
  const { pool, sealer } = core;
  const { orders } = await keptOrders(pool, {});
  const deliveries = await idsOf(core, 'select id from deliveries where body is not null union all select delivery_id from bodies');
  const receipts = await idsOf(core, 'select id from compliance.receipts');
  const endpoints = await idsOf(core, 'select id from event_endpoints');
  const events = await idsOf(core, 'select id from events where answer is not null');
  const mails = await idsOf(core, `select id from mails where ref ? 'mailbox'`);
  return [
    ...endpoints.map((id) => () => openEndpoint(pool, id)),
    ...events.map((id) => () => findEvent(pool, id)),
    ...mails.map((id) => () => sealedMailbox(core, id)),
    ...orders.map(
      ({ id }) =>
        () =>
          createClaimStore(pool, { leaseMs: 1 }).claim(id),
    ),
    ...deliveries.map((id) => () => deliveryBody({ pool }, { id, by: PROGRAM })),
    ...apiKeys.map((key) => () => keysOf(core).find(key)),
    ...(await core.connections.list()).map(
      ({ id }) =>
        () =>
          core.connections.find(id),
    ),
    ...receipts.map((receiptId) => () => receiptMailBuilder(pool)({ receiptId })),
    ...orders.map(
      ({ complianceId }) =>
        () =>
          stornoMailBuilder(pool, sealer)({ orderId: complianceId ?? '' }),
    ),
  ];
}
