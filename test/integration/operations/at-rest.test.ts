import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Core, openCore } from '../../../src/app/core.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { sealDelivery } from '../../../src/bridge/delivery/sealed-delivery.ts';
import { deliveriesOfOrder } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { putInInbox } from '../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { Secret } from '../../../src/config/secret.ts';
import { reportKeys } from '../../../src/operations/keys/report-keys.ts';
import { rotateKeys } from '../../../src/operations/keys/rotate-keys.ts';
import { MARKS, PURPOSES, purposeOf } from '../../../src/operations/keys/sealed-columns.ts';
import { newToken } from '../../../src/operations/people/sessions.ts';
import { deliveryBody } from '../../../src/operations/webhooks/kept-webhook.ts';
import { PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import { keyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newKey } from '../../../src/platform/seal.ts';
import { newTotpSecret } from '../../../src/platform/totp.ts';
import { accepted, KnownData } from '../../support/at-rest/known-data.ts';
import { dumped, filesIn, found, keptInRedis, needle } from '../../support/at-rest/search-dump.ts';
import { Bridge, ENCRYPTION_KEYS, orderOf } from '../../support/worlds/bridge.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
/** `test/long/leaked-copies.test.ts` has 200. */
const COUNT = 5;
const NEW = '22'.repeat(32);

test('the search finds what is packed, wherever it begins', async () => {
  const [plain, hex, base64, packed, token, factor] = [needle(), needle(), needle(), needle(), newToken(), newTotpSecret()];
  const zstd = zstdCompressSync(JSON.stringify({ packed }));
  const text = `${plain} \\x${Buffer.from(hex).toString('hex')} {"a":"a${Buffer.from(base64).toString('base64')}","b":"${zstd.toString('base64')}"} y${token} y${factor}`;
  async function* one() {
    yield { where: 'row', bytes: Buffer.from(text) };
  }
  async function* file() {
    yield { where: 'file', bytes: Buffer.concat([Buffer.from('before'), zstd, Buffer.from('after')]) };
  }

  expect(await found([plain, hex, base64, packed, token, factor, needle()], one())).toHaveLength(6);
  expect(await found([packed], file())).toEqual([`${packed} in file`]);
});

test('what waits, sealed with keys that a restored database does not have, is recorded without its buyer, and holds up nothing', async () => {
  await using it = await world();
  const { pool, core } = { pool: it.bridge.pool, core: it.bridge.app.core };
  const connected = await it.bridge.connect();
  const lost = keyring({ purposeOf, digests: 'lookup', marks: MARKS });
  lost.take(PURPOSES.map((purpose) => ({ ...newKey(), purpose, isCurrent: true })));
  const sealed = (id: string) => sealDelivery(lost, accepted(connected, orderOf(id)));
  await using queues = openQueues(core);

  await queues.addDeliveries({ v: 1, deliveries: [sealed('1'), accepted(connected, orderOf('2'))] });
  await putInInbox(pool, sealed('3'));

  for (const id of ['2', '1', '3']) await it.bridge.settled(connected, id, 'recorded');
  const kinds = (await keptOrders(pool, {})).orders.map(({ orderId, customer }) => [orderId, customer.kind]).toSorted();
  expect(kinds).toEqual([
    ['1', 'none'],
    ['2', 'known'],
    ['3', 'none'],
  ]);
  // Their bodies stay as they are, for a key that comes back.
  const [one] = await deliveriesOfOrder(pool, (await it.bridge.order(connected, '1'))?.id ?? 0);
  expect(one?.kept).toBe(true);
  await expect(deliveryBody({ pool }, { id: one?.id ?? '', by: PROGRAM })).rejects.toThrow('does not open');
});

test('a copy of the database and of Redis without the key shows no buyer, body, mailbox or token; nor after a leaked key was replaced', async () => {
  await using it = await world({ embeddedService: true });
  const { bridge, databaseUrl, redisUrl } = it;
  const known = await KnownData.fill(bridge, COUNT);
  const { config } = bridge.app.core;
  const dataDir = await found(known.all, filesIn(config.dataDir));
  await bridge[Symbol.asyncDispose]();
  const log = createLog({ level: 'silent', name: 'test' });
  const withKeys = (keys: string) => openCore({ ...config, encryptionKeys: new Secret(keys) }, log);
  const copies = (core: Core) => [dumped(core.pool), keptInRedis(redisUrl)] as const;
  {
    await using core = await withKeys(ENCRYPTION_KEYS);
    await known.wait(core);

    // Mails as files are for people to open.
    expect(dataDir.filter((one) => !one.includes('/outbox/'))).toEqual([]);
    expect(await found(known.all, ...copies(core))).toEqual([]);
    expect(await found(known.guesses, dumped(core.pool))).toEqual([]);
    expect(await found(['Тениска', `"#o${COUNT - 2}"`], ...copies(core))).not.toEqual([]);
  }

  await using core = await withKeys(`${NEW},${ENCRYPTION_KEYS}`);
  const { broken } = await rotateKeys(core, { isLeaked: true, by: PROGRAM });
  expect(broken).toEqual([]);
  await using later = await withKeys(NEW);
  const report = await reportKeys({ pool: later.pool, masters: [], jobs: async () => [] });
  expect(report.purposes.map(({ sealedBefore }) => sealedBefore)).toEqual(report.purposes.map(() => 0));
  expect(report.waiting.inbox).toBe(1);
  expect(await found(known.all, ...copies(later))).toEqual([]);
  await using last = await Bridge.start({ databaseUrl, redisUrl, config: { encryptionKeys: new Secret(NEW) } });
  await known.waitingRecorded(last);
  expect(await known.unread(last)).toEqual([]);
  expect((await reportKeys({ pool: later.pool, masters: [], jobs: async () => [] })).purposes.map(({ sealedBefore }) => sealedBefore)).toEqual(
    report.purposes.map(() => 0),
  );
  expect(await found(known.all, ...copies(later))).toEqual([]);
});
