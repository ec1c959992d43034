import { randomBytes, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Core, openCore } from '../../../src/app/core.ts';
import { openQueues } from '../../../src/app/queues.ts';
import type { AcceptedDelivery } from '../../../src/bridge/delivery/jobs.ts';
import { findDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { putInInbox } from '../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { admitDelivery } from '../../../src/bridge/ledger/deliveries/store-hosts.ts';
import { findOnboarding, insertOnboarding, saveOnboarding, wayCodes } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { everyPerson } from '../../../src/bridge/ledger/people/people-store.ts';
import { listExports, storeExport } from '../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import { Secret } from '../../../src/config/secret.ts';
import { reportKeys } from '../../../src/operations/keys/report-keys.ts';
import { rotateKeys } from '../../../src/operations/keys/rotate-keys.ts';
import { addPerson } from '../../../src/operations/people/people.ts';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { createLog } from '../../../src/platform/log.ts';
import { makeCode } from '../../../src/platform/mail/mailed-codes.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { PROGRAM } from '../../../src/platform/trail/trail.ts';
import { dumped, filesIn, found, keptInRedis, unpacked } from '../../support/at-rest/search-dump.ts';
import { runs } from '../../support/run-size.ts';
import { Bridge, type Connected, ENCRYPTION_KEYS, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
const COUNT = runs(5, 200);
const NEW = '22'.repeat(32);

/** No other text is like it. */
const needle = (): string => `needle${randomBytes(9).toString('hex')}`;
const buyerOf = () => ({ email: `${needle()}@shop.example`, phone: needle(), firstName: needle(), lastName: needle() });

/** A delivery as the receiver takes it. */
function accepted({ connection }: Connected, order: Record<string, unknown>): AcceptedDelivery {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  const normalized = standard.normalize({ topic: 'order.paid', deliveryId: null, store: null }, JSON.parse(body));
  return {
    ...{ id: randomUUID(), connectionId: connection.id, arrivedAt: new Date().toISOString(), topic: 'order.paid', platformDeliveryId: null, store: null },
    ...{ body: zstdCompressSync(body).toString('base64'), normalized },
  };
}

const bodies = rowsOf('deliveries', z.object({ id: z.string() }));

/** Everything that a core can read of these: buyers here and at the service, bodies, mailboxes, what was typed. */
async function readable(core: Core, onboarding: string): Promise<string> {
  const { pool } = core;
  const ids = await readRows(pool, bodies, { text: 'select id from deliveries where body is not null' });
  const kept = await Promise.all(ids.map(async ({ id }) => unpackedBody((await findDelivery(pool, id))?.body)));
  const { orders } = await keptOrders(pool, {});
  return JSON.stringify([
    kept,
    orders.map(({ customer }) => customer),
    await listExports(pool),
    await everyPerson(pool),
    await findOnboarding(pool, onboarding),
  ]);
}

const unpackedBody = (body: Buffer | null | undefined): string[] => (body ? [...unpacked(body)] : []);

test('the search finds what is packed', async () => {
  const [plain, hex, base64, packed] = [needle(), needle(), needle(), needle()];
  const zstd = zstdCompressSync(JSON.stringify({ packed })).toString('base64');
  const bytes = Buffer.from(`${plain} \\x${Buffer.from(hex).toString('hex')} {"a":"${Buffer.from(base64).toString('base64')}","b":"${zstd}"}`);
  async function* one() {
    yield { where: 'row', bytes };
  }

  expect(await found([plain, hex, base64, packed, 'missing'], one())).toHaveLength(4);
});

test(`a copy of the database and of Redis without the key shows none of ${COUNT} buyers, bodies, mailboxes and tokens; nor after a leaked key was replaced`, async () => {
  await using it = await world({ embeddedService: true });
  const { bridge, databaseUrl, redisUrl } = it;
  const own = await ownShop(it);
  const secret = `whsec_${Buffer.from(needle()).toString('base64')}`;
  const connected = await bridge.connect({ shopId: own.shopId, secret });
  const { pool, config } = bridge.app.core;
  const buyers = Array.from({ length: COUNT }, buyerOf);
  const notes = buyers.map(needle);
  const order = (n: number) => orderOf(`o${n}`, { customer: buyers[n], metadata: { note: notes[n] } });
  const [sent, waiting] = [COUNT - 2, [COUNT - 2, COUNT - 1] as const];
  for (let n = 0; n < sent; n += 1) expect(await bridge.send(connected, 'order.paid', { order: order(n) })).toBe(200);
  for (let n = 0; n < sent; n += 1) await bridge.settled(connected, `o${n}`, 'recorded');
  const odd = needle();
  expect(await bridge.send(connected, 'order.paid', { order: { id: odd } })).toBe(200);
  const quarantined = needle();
  await admitDelivery(pool, { delivery: accepted(connected, { note: quarantined }), host: 'other.example', store: 'corner', undecided: false });
  const scope = { shopId: own.shopId, platform: 'standard', store: connected.connection.id, until: new Date().toISOString() };
  const [first] = (await keptOrders(pool, {})).orders;
  await storeExport(pool, { ...scope, store: first?.store ?? '', orderIds: ['o0'] }, { connectionId: connected.connection.id, requestId: 'r1' });
  const [person, merchant, typed, confirmed] = [needle(), needle(), needle(), needle()].map((one) => `${one}@shop.example`) as [string, string, string, string];
  await addPerson({ pool, url: null } as never, { email: person, name: '', role: 'owner', shops: null, lang: 'en', by: PROGRAM });
  const way = await insertOnboarding(pool, { who: 'cli:test', email: merchant, mailTo: typed, lang: 'en', shopId: null, destinationId: null, days: 14 });
  const progress = needle();
  await saveOnboarding(pool, way, { step: 'store', progress: { url: `https://${progress}.example` } });
  const code = { ownerId: way.id, browser: needle(), at: new Date(), mailbox: randomBytes(32), isConfirmed: true, address: confirmed };
  expect(await makeCode(pool, wayCodes, code)).not.toBeNull();
  await until(async () => (await readRows(pool, bodies, { text: `select id from deliveries where outcome in ('review', 'quarantined')` })).length === 2, {
    what: 'both to be kept',
  });
  const inBuyers = buyers.flatMap((buyer) => Object.values(buyer));
  const mailboxes = [person, merchant, typed];
  const wanted = [
    ...inBuyers,
    ...notes,
    odd,
    quarantined,
    ...mailboxes,
    confirmed,
    progress,
    secret.slice(6),
    Buffer.from(secret.slice(6), 'base64').toString(),
  ];
  const dataDir = await found(wanted, filesIn(config.dataDir));
  await bridge[Symbol.asyncDispose]();
  const log = createLog({ level: 'silent', name: 'test' });
  const withKeys = (keys: string) => openCore({ ...config, encryptionKeys: new Secret(keys) }, log);
  const copies = (core: Core) => [dumped(core.pool), keptInRedis(redisUrl)] as const;
  {
    await using core = await withKeys(ENCRYPTION_KEYS);
    await using queues = openQueues(core);
    await queues.addDeliveries({ v: 1, deliveries: [accepted(connected, order(waiting[0]))] });
    await putInInbox(core.pool, accepted(connected, order(waiting[1])));

    expect(dataDir).toEqual([]);
    expect(await found(wanted, ...copies(core))).toEqual([]);
    expect(await found(['Тениска', `"#o${sent}"`], ...copies(core))).not.toEqual([]);
  }

  await using core = await withKeys(`${NEW},${ENCRYPTION_KEYS}`);
  const { broken } = await rotateKeys(core, { isLeaked: true, by: PROGRAM });
  expect(broken).toEqual([]);
  await using later = await withKeys(NEW);
  const report = await reportKeys({ pool: later.pool, masters: [], jobs: async () => [] });
  expect(report.purposes.map(({ sealedBefore }) => sealedBefore)).toEqual(report.purposes.map(() => 0));
  expect(report.waiting.inbox).toBe(1);
  expect(await found(wanted, ...copies(later))).toEqual([]);
  await using last = await Bridge.start({ databaseUrl, redisUrl, config: { encryptionKeys: new Secret(NEW) } });
  for (const n of waiting) await last.settled(connected, `o${n}`, 'recorded');
  const all = await readable(last.app.core, way.id);
  expect([...inBuyers, ...notes, odd, quarantined, ...mailboxes, progress].filter((one) => !all.includes(one))).toEqual([]);
  const atService = JSON.stringify((await recordedOrdersOf(last, { shop: own.shopId, limit: COUNT })).orders);
  expect(inBuyers.filter((one) => !atService.includes(one))).toEqual([]);
  expect((await reportKeys({ pool: later.pool, masters: [], jobs: async () => [] })).purposes.map(({ sealedBefore }) => sealedBefore)).toEqual(
    report.purposes.map(() => 0),
  );
  expect(await found(wanted, ...copies(later))).toEqual([]);
});
