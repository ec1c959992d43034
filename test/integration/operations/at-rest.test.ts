import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Core, openCore } from '../../../src/app/core.ts';
import { Secret } from '../../../src/config/secret.ts';
import { reportKeys } from '../../../src/operations/keys/report-keys.ts';
import { rotateKeys } from '../../../src/operations/keys/rotate-keys.ts';
import { newToken } from '../../../src/operations/people/sessions.ts';
import { createLog } from '../../../src/platform/log.ts';
import { PROGRAM } from '../../../src/platform/trail/trail.ts';
import { KnownData } from '../../support/at-rest/known-data.ts';
import { dumped, filesIn, found, keptInRedis, needle } from '../../support/at-rest/search-dump.ts';
import { Bridge, ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
/** `test/long/leaked-copies.test.ts` has 200. */
const COUNT = 5;
const NEW = '22'.repeat(32);

test('the search finds what is packed, wherever it begins', async () => {
  const [plain, hex, base64, packed, token] = [needle(), needle(), needle(), needle(), newToken()];
  const zstd = zstdCompressSync(JSON.stringify({ packed }));
  const text = `${plain} \\x${Buffer.from(hex).toString('hex')} {"a":"a${Buffer.from(base64).toString('base64')}","b":"${zstd.toString('base64')}"} y${token}`;
  async function* one() {
    yield { where: 'row', bytes: Buffer.from(text) };
  }
  async function* file() {
    yield { where: 'file', bytes: Buffer.concat([Buffer.from('before'), zstd, Buffer.from('after')]) };
  }

  expect(await found([plain, hex, base64, packed, token, needle()], one())).toHaveLength(5);
  expect(await found([packed], file())).toEqual([`${packed} in file`]);
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
