import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { connectionSettings } from '../../../src/bridge/connections/connection-settings.ts';
import type { Program } from '../servers/program.ts';
import type { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import {
  type Export,
  type ListedOrder,
  type OldConnection,
  type OldRelease,
  type OldShop,
  type ServiceMail,
  type ServiceMonth,
  type ServiceOrder,
  type ServiceReceipt,
  type StoreName,
  sha256,
} from './old-release.ts';
import { until } from './settled.ts';

const run = promisify(execFile);
const BIN = join(import.meta.dirname, '../../../bin/orderbridge.mjs');

/** A program of today, started on the data of an old release. */
export type Upgraded = { old: OldRelease; program: Program; server: { url: string }; remote: ScriptedCompliance; env: Record<string, string> };

/** The state in which every order ends, and the total that is recorded of it. */
const END: Record<Exclude<StoreName, 'closed'>, Record<string, string>> = {
  own: {
    ...{ kept: 'recorded 48.00', edited: 'recorded 30.00', voided: 'removed', returned: 'removed', 'returned-late': 'removed' },
    ...{ plain: 'recorded 48.00', 'edited-late': 'recorded 30.00', 'edited-half': 'recorded 30.00', dollars: 'recorded 48.00' },
    ...{ refunded: 'removed', 'refunded-late': 'removed', 'refunded-inboxed': 'removed' },
    ...{ waiting: 'waiting', 'paid-late': 'recorded 48.00', ignored: 'ignored', parked: 'parked' },
    ...{ 'receipt-due': 'recorded 48.00', 'reply-lost': 'recorded 48.00', new: 'recorded 48.00', inboxed: 'recorded 48.00' },
  },
  woo: { '101': 'recorded 24.00', '102': 'parked 24.00', '103': 'recorded 24.00', '104': 'recorded 24.00', '105': 'recorded 24.00' },
  shopify: { '9001': 'recorded 21.80', '9002': 'recorded 10.90', '9003': 'recorded 21.80' },
  remote: {
    ...{ recorded: 'recorded 48.00', edited: 'recorded 30.00', unconfirmed: 'unconfirmed', refused: 'parked' },
    ...{ new: 'recorded 48.00', late: 'recorded 48.00' },
  },
  unknown: { held: 'recorded 48.00' },
};

/** All waiting work is done once and correctly; all old data is still there. */
export async function expectCarriedOver(upgraded: Upgraded): Promise<void> {
  await expectNothingLeft(upgraded);
  expectRemoteRequests(upgraded);
  await expectOrders(upgraded);
  await expectJournal(upgraded);
  await expectConnections(upgraded);
  await expectPeople(upgraded);
  for (const name of ['woo', 'shopify'] as const) await expectShop(upgraded, name);
  const orders = await expectShop(upgraded, 'own');
  expectNumbers(upgraded, orders);
  await expectMails(upgraded, orders);
  await expectFiledFile(upgraded);
}

async function expectNothingLeft({ program, server }: Upgraded): Promise<void> {
  expect(await program.json(['drain', '--timeout', '40'])).toMatchObject({ drained: true, inbox: 0, deliveries: 0, submissions: 0, behind: 0 });
  await until(
    async () => {
      const jobs = (await (await fetch(`${server.url}/metrics`)).text()).split('\n').filter((line) => line.startsWith('orderbridge_jobs{'));
      // The two schedulers of the compliance service always wait for their next time.
      const left = jobs.filter((line) => !line.endsWith(' 0') && !/queue="(compliance|mails)",state="(delayed|active|waiting)"/.test(line));
      if (jobs.length === 0 || left.length > 0) throw new Error(left.join('; '));
      return true;
    },
    // The gauges are read every 15 s.
    { what: 'no job to be left', timeoutMs: 40_000 },
  );
}

async function expectOrders({ old, program }: Upgraded): Promise<void> {
  const orders = await program.json<ListedOrder[]>(['orders']);
  for (const [name, ends] of Object.entries(END)) {
    const { connection } = old.says.stores[name as StoreName];
    const mine = orders.filter(({ connectionId }) => connectionId === connection);
    expect(Object.fromEntries(mine.map(({ orderId, state, recordedTotal }) => [orderId, [state, recordedTotal].filter(Boolean).join(' ')]))).toEqual(ends);
    expect(mine).toHaveLength(Object.keys(ends).length);
  }
  const before = old.says.orders.filter(({ state }) => state === 'recorded');
  const touched = ['edited-late', 'refunded-late', 'refunded-inboxed', 'returned-late', '9002'];
  for (const { orderId, connectionId, complianceId } of before.filter((order) => !touched.includes(order.orderId))) {
    expect(orders).toContainEqual(expect.objectContaining({ orderId, connectionId, complianceId }));
  }
}

type Report = {
  personalDataErased: boolean;
  receipt: { state: string } | null;
  deliveries: object[];
  submissions: { kind: string; outcome: string }[];
};

async function expectJournal({ old, program }: Upgraded): Promise<void> {
  const own = old.says.stores.own.connection;
  const report = (id: string, connection = own) => program.json<Report>(['order', connection, id]);
  const stepsOf = ({ submissions }: Report) => submissions.filter(({ kind }) => kind !== 'receipt').map(({ kind }) => kind);
  expect(stepsOf(await report('reply-lost'))).toEqual(['create']);
  expect(stepsOf(await report('edited-half'))).toEqual(['create', 'delete', 'create']);
  expect(stepsOf(await report('refunded-inboxed'))).toEqual(['create', 'delete']);
  expect((await report('receipt-due')).receipt).toMatchObject({ state: 'got' });
  const twice = await report('new');
  expect([stepsOf(twice), twice.deliveries.length]).toEqual([['create'], 2]);
  expect((await report('9001', old.says.stores.shopify.connection)).personalDataErased).toBe(true);
}

function expectRemoteRequests({ old, remote }: Upgraded): void {
  const created = remote.requests('POST').map(({ body }) => JSON.parse(body).internalId);
  expect(created.sort()).toEqual(['edited', 'held', 'late', 'new']);
  const edited = old.says.orders.find(({ orderId, connectionId }) => orderId === 'edited' && connectionId === old.says.stores.remote.connection);
  expect(remote.requests('DELETE').map(({ path }) => path.split('/').at(-1))).toEqual([edited?.complianceId]);
}

async function expectConnections({ old, program }: Upgraded): Promise<void> {
  const stable = ({ connectionId, platform, name, state, store, shop, recordFrom, settings, connectedAt, disconnectedAt }: OldConnection) => ({
    ...{ connectionId, platform, name, state, store, shop, recordFrom, settings, connectedAt, disconnectedAt },
  });
  // Settings that came since have their default.
  const kept = (connection: OldConnection) => ({ ...stable(connection), settings: { ...connectionSettings.parse({}), ...Object(connection['settings']) } });
  const now = await program.json<OldConnection[]>(['connections']);
  // A connection without orders learns its store's name from its first one.
  const learned = (connection: OldConnection) => ({ ...kept(connection), store: connection['store'] ?? expect.anything() });
  expect(now.map(stable)).toEqual(old.says.connections.map((one) => (one['state'] === 'connected' ? learned(one) : kept(one))));
  expect(now.flatMap(({ pauses }) => pauses)).toEqual([]);
  expect(now.flatMap(({ warnings }) => warnings)).toEqual([expect.stringContaining('woocommerce_rest_cannot_view')]);
}

/** Orders that wait for a person, and the export that a customer asked for. */
async function expectPeople({ old, program }: Upgraded): Promise<void> {
  const { deliveries } = await program.json<{ deliveries: object[] }>(['parked']);
  expect(deliveries).toMatchObject([
    { code: 'payload.unreadable', kept: true },
    { code: 'payload.unreadable', kept: true },
  ]);
  const [asked] = await program.json<Export[]>(['exports']);
  const [before] = old.says.exports;
  expect(asked).toMatchObject({ id: before?.id, requestId: '77', data: { orders: [{ order_id: '9001' }] } });
  // Erased since by a request that was waiting.
  expect(before?.data.orders[0]).toHaveProperty('customer.email');
  expect(asked?.data.orders[0]).not.toHaveProperty('customer.email');
}

async function expectShop(upgraded: Upgraded, name: StoreName): Promise<ServiceOrder[]> {
  const { old, program } = upgraded;
  const { shop } = old.says.stores[name];
  const before = shopOf(old, name);
  const orders = await program.json<ServiceOrder[]>(['service', 'orders', 'list', '--shop', shop]);
  const ends = END[name as keyof typeof END];
  const standing = Object.entries(ends).flatMap(([id, end]) => (/ \d/.test(end) ? [id] : []));
  expect(orders.map(({ internalId }) => internalId).sort()).toEqual(standing.sort());
  const same = before.orders.filter(({ id }) => orders.some((order) => order.id === id));
  // What later versions added is not of before; and of buyers whose erasure the service could not be told of then, it is told now.
  expect(orders).toEqual(expect.arrayContaining(same.map(({ customer: _, ...order }) => expect.objectContaining(order))));
  await expectBuyers(upgraded, name, same);

  const months = await program.json<ServiceMonth[]>(['service', 'audit', 'list', '--shop', shop]);
  const october = before.months.find(({ month }) => month === '2026-10');
  expect(october).toBeDefined();
  expect(months).toContainEqual(expect.objectContaining(october));
  return orders;
}

/** Buyers of before, but those whom a privacy request erased at the bridge: the service forgets them, and nobody else. */
async function expectBuyers({ old, program }: Upgraded, name: StoreName, before: readonly ServiceOrder[]): Promise<void> {
  const { shop, connection } = old.says.stores[name];
  const expected: Record<string, ServiceOrder['customer']> = {};
  for (const { internalId, customer = null } of before) {
    const { personalDataErased } = await program.json<Report>(['order', connection, internalId]);
    expected[internalId] = personalDataErased ? null : customer;
  }
  const known = (orders: readonly ServiceOrder[]) => Object.fromEntries(orders.map(({ internalId, customer = null }) => [internalId, customer]));
  const kept = new Set(before.map(({ id }) => id));
  await until(
    async () => {
      const now = await program.json<ServiceOrder[]>(['service', 'orders', 'list', '--shop', shop]);
      expect(known(now.filter(({ id }) => kept.has(id)))).toEqual(expected);
      return true;
    },
    { what: `the buyers of ${name} to be those of before, without the erased ones` },
  );
  expect(Object.keys(expected).filter((id) => expected[id] === null && known(before)[id] !== null)).toEqual(FORGOTTEN[name] ?? []);
}

/** Orders whose buyers the service had, and forgets after the upgrade. */
const FORGOTTEN: Partial<Record<StoreName, string[]>> = { shopify: ['9001'] };

/** The files that were filed with the agency, byte for byte. */
async function expectFiledFile({ old, program, env }: Upgraded): Promise<void> {
  const { shop } = old.says.stores.own;
  const of = ['service', 'audit', 'show', '--shop', shop, '--month', '2026-10', '--xml'];
  const { stdout } = await run(process.execPath, [BIN, ...of], { env, cwd: program.dataDir, encoding: 'buffer' });
  expect(sha256(stdout)).toBe(shopOf(old, 'own').files['2026-10']);
}

function shopOf({ says }: OldRelease, name: StoreName): OldShop {
  const found = says.shops[says.stores[name].shop];
  if (found === undefined) throw new Error(`the fixture does not know the shop of ${name}`);
  return found;
}

/** One sequence without a gap: assigned numbers stay, a replacement keeps its number, and new orders go on from there. */
function expectNumbers({ old }: Upgraded, orders: readonly ServiceOrder[]): void {
  const of = (id: string) => orders.find(({ internalId }) => internalId === id);
  for (const { internalId, documentNumber } of shopOf(old, 'own').orders) expect([documentNumber, undefined]).toContain(of(internalId)?.documentNumber);
  expect(of('edited-late')).toMatchObject({ documentNumber: '0000000506', edition: 2 });
  expect(of('edited-half')).toMatchObject({ documentNumber: '0000000507', edition: 2 });
  expect(of('dollars')).toMatchObject({ accountingTotal: null });
  const given = ['new', 'paid-late', 'inboxed'].map((id) => of(id)?.documentNumber);
  expect(given.sort()).toEqual(['0000000514', '0000000515', '0000000516']);
}

/** Every recorded order has its one receipt, and every mail, old or new, is in the outbox once. */
async function expectMails({ old, program }: Upgraded, orders: readonly ServiceOrder[]): Promise<void> {
  const { shop } = old.says.stores.own;
  const before = shopOf(old, 'own');
  const sentBefore = new Set(before.mails.filter(({ state }) => state === 'sent').map(({ id }) => id));
  const mails = await until(
    async () => {
      const all = await program.json<ServiceMail[]>(['service', 'mails', 'list', '--shop', shop]);
      if (all.some(({ state }) => state !== 'sent')) throw new Error(JSON.stringify(all));
      return all;
    },
    { what: 'every mail to be sent', timeoutMs: 20_000 },
  );
  const files = (await readdir(join(program.dataDir, 'outbox'))).filter((file) => file.endsWith('.eml'));
  const copies = (id: string) => files.filter((file) => file.endsWith(`-${id}.eml`)).length;
  expect(mails.filter(({ id }) => copies(id) !== (sentBefore.has(id) ? 0 : 1))).toEqual([]);
  expect(before.mails.filter(({ id }) => copies(id) > 1)).toEqual([]);

  const receipts = await program.json<ServiceReceipt[]>(['service', 'receipts', 'list', '--shop', shop]);
  expect(receipts.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ id }) => id).sort());
  expect(receipts.every(({ emailed }) => emailed === 'sent')).toBe(true);
  const kept = before.receipts.filter(({ orderId }) => orders.some(({ id }) => id === orderId)).map(({ id }) => id);
  expect(receipts.map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
}
