import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { longTest } from '../../support/long-test.ts';
import { inLong } from '../../support/run-size.ts';
import { askPostgres, copyFolder, postgresIn } from '../../support/servers/copied-postgres.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { Bridge, type Connected, ENCRYPTION_KEYS, orderOf } from '../../support/worlds/bridge.ts';
import { callerOf, orderDto } from '../../support/worlds/compliance-caller.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';

const run = promisify(execFile);
const EIK = '206770508';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

type Folders = { database: string; data: string };

/** A server, a program on it and its commands; they end together, so that files of the server can be copied. */
async function started({ database, data }: Folders, redisUrl: string | undefined) {
  await using setup = new AsyncDisposableStack();
  const { url } = setup.use(await postgresIn(database));
  const queue = redisUrl === undefined ? {} : { redisUrl };
  const bridge = setup.use(await Bridge.start({ databaseUrl: url, ...queue, config: { dataDir: data } }));
  const env = { DATABASE_URL: url, ENCRYPTION_KEYS, DATA_DIR: data, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) };
  const cli = setup.use(await Program.prepare(env));
  const numbers = async () => (await askPostgres(url, 'select document_number::int as n from compliance.orders order by 1')).map(({ n }) => n);
  const record = async (connected: Connected, id: string) => {
    await bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await bridge.settled(connected, id, 'recorded');
  };
  const owned = setup.move();
  return { bridge, cli, numbers, record, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test.each(['Redis', ...inLong(['DATA_DIR'])])(
  'a database that was set back gives no number until a person says which is next: %s knows better',
  async (knows) => {
    await using folder = await scratchDir();
    const folders = { database: join(folder.path, 'database'), data: join(folder.path, 'data') };
    const redisUrl = knows === 'Redis' ? redis.url : undefined;
    let shopId: string;
    let connected: Connected;
    {
      await using it = await started(folders, redisUrl);
      ({ shopId } = await ownShop(it));
      connected = await it.bridge.connect({ shopId });
      await it.record(connected, '1');
    }
    await copyFolder(folders.database, join(folder.path, 'backup'));
    {
      await using it = await started(folders, redisUrl);
      for (const id of ['2', '3', '4']) await it.record(connected, id);
      const isKnown = async () => expect(await it.cli.json(['resume'])).toMatchObject({ why: null, companies: [{ merchant: EIK, next: 5, known: 5 }] });
      await until(isKnown, { what: 'the numbers to be known' });
      expect(await it.numbers()).toEqual([1, 2, 3, 4]);
    }
    await copyFolder(join(folder.path, 'backup'), folders.database);
    await using it = await started(folders, redisUrl);
    const { bridge, cli } = it;

    // Webhooks are taken; nothing is recorded, by whom ever.
    expect(await bridge.send(connected, 'order.paid', { order: orderOf('5') })).toBe(200);
    const { credentials } = (await bridge.app.core.destinations.find(await bridge.embeddedDestinationId())) ?? {};
    const call = callerOf(bridge.app.url, credentials ?? { apiKey: '', apiSecret: '' });
    const refused = await call('POST', '/order', { body: orderDto(shopId) });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    const ready = await fetch(`${bridge.app.url}/readyz`);
    expect(await ready.json()).toEqual({ ready: true, failedChecks: [], paused: [], stopped: 'database.restored' });
    const codes = async () => (await bridge.app.healthReader.now()).failedChecks.map(({ code }) => code);
    expect(await codes()).toContain('database.restored');
    expect(await cli.ok(['resume'])).toMatch(new RegExp(`lacks what it had[\\s\\S]*${EIK} +0000000002 +0000000005`));
    for (const [said, words] of refusals) {
      const { code, err } = await cli.run(['resume', ...said]);
      expect({ failed: code !== 0, err }).toEqual({ failed: true, err: expect.stringContaining(words) });
    }
    await until(async () => expect((await bridge.order(connected, '5'))?.state).toBe('queued'), { what: 'order 5 to be queued' });
    expect(await it.numbers()).toEqual([1]);

    // A backup that was restored before is of an epoch that was gone on from.
    if (redisUrl !== undefined) await goneOnFrom(redisUrl, 7);
    expect(await cli.ok(['resume', '--ahead', '100', '--why', 'backup restored'])).toMatch(/0000000105[\s\S]*recorded again/);
    await bridge.settled(connected, '5', 'recorded');
    expect(await call('POST', '/order', { body: orderDto(shopId) })).toMatchObject({ status: 200 });
    expect(await it.numbers()).toEqual([1, 105, 106]);
    expect(await codes()).not.toContain('database.restored');
    const acts = await readActs(bridge.pool, BRIDGE_AUDIT_LOG, { act: 'recording.resumed', limit: 9 });
    expect(acts).toMatchObject([{ why: 'backup restored', before: { stopped: 'older' } }]);
    expect((await cli.run(['resume', '--ahead', '1', '--why', 'x'])).err).toContain('nothing is stopped');
  },
);

async function goneOnFrom(redisUrl: string, epoch: number): Promise<void> {
  const client = new Redis(redisUrl);
  for (const key of await client.keys('orderbridge:database:*')) await client.zadd(key, 'GT', epoch, 'epoch', 1_000_000, `beat@${epoch}`);
  await client.quit();
}

const refusals = [
  [['--keep-numbers'], 'say why'],
  [['--why', 'x'], 'nobody said'],
  [['--keep-numbers', '--why', 'x'], 'had come to the number 0000000004'],
  [['--next', `${EIK}=4`, '--why', 'x'], 'the next is 0000000005 at least'],
  [['--next', '121759222=9', '--ahead', '9', '--why', 'x'], 'no numbers were given here'],
  [['--next', '7501010010=9', '--ahead', '9', '--why', 'x'], 'no numbers were given here'],
  [['--next', `${EIK}=99999999999`, '--why', 'x'], 'ten digits'],
  [['--ahead', '1.5', '--why', 'x'], 'whole number'],
] as const;

longTest('a database that is set back under a running program, to before a company’s first number', async () => {
  await using folder = await scratchDir();
  const [database, backup] = [join(folder.path, 'database'), join(folder.path, 'backup')];
  await using setup = new AsyncDisposableStack();
  let server = await postgresIn(database);
  setup.defer(() => server[Symbol.asyncDispose]());
  const restarted = async (meanwhile: () => Promise<void>) => {
    await server[Symbol.asyncDispose]();
    await meanwhile();
    server = await postgresIn(database);
  };
  const { url } = server;
  const redisUrl = `${redis.url}/1`;
  const bridge = setup.use(await Bridge.start({ databaseUrl: url, redisUrl }));
  const cli = setup.use(await Program.prepare({ DATABASE_URL: url, ENCRYPTION_KEYS, REDIS_URL: redisUrl }));
  const { shopId } = await ownShop({ bridge });
  const connected = await bridge.connect({ shopId });
  await restarted(() => copyFolder(database, backup));
  expect(server.url).toBe(url);
  await until(() => bridge.send(connected, 'order.paid', { order: orderOf('1') }), { what: 'the webhook to be taken' });
  await bridge.settled(connected, '1', 'recorded');
  await until(async () => expect(await cli.json(['resume'])).toMatchObject({ companies: [{ known: 2 }] }), { what: 'the number to be known' });

  await restarted(() => copyFolder(backup, database));
  const ready = async () => (await fetch(`${bridge.app.url}/readyz`)).json();
  await until(async () => expect(await ready()).toMatchObject({ ready: true, stopped: 'database.restored' }), { what: 'the program to see it' });
  expect(await cli.json(['resume'])).toMatchObject({ why: expect.stringContaining('lacks what it had'), companies: [{ merchant: EIK, next: null, known: 2 }] });
  expect((await cli.run(['resume', '--keep-numbers', '--why', 'x'])).err).toContain('had come to the number 0000000001');
  await cli.ok(['resume', '--next', `${EIK}=50`, '--why', 'restored']);
  await bridge.send(connected, 'order.paid', { order: orderOf('2') });
  await bridge.settled(connected, '2', 'recorded');
  expect(await askPostgres(url, 'select document_number::int as n from compliance.orders')).toEqual([{ n: 50 }]);
});

test('a DATA_DIR that was copied, or restored over what is there, records nothing until a person says so', async () => {
  await using program = await Program.prepare({ ENCRYPTION_KEYS });
  await using folder = await scratchDir();
  const copy = join(folder.path, 'copy');
  const why = async (env: Record<string, string> = {}) => JSON.parse((await program.run(['resume', '--json'], { env })).out).why;

  expect(await why()).toBeNull();
  expect(await why()).toBeNull();
  await copyFolder(program.dataDir, copy);
  expect(await why({ DATA_DIR: copy })).toMatch(/restored from a backup, or copied/);
  expect((await program.run(['resume', '--keep-numbers', '--why', 'moved'], { env: { DATA_DIR: copy } })).code).toBe(0);
  expect(await why({ DATA_DIR: copy })).toBeNull();

  // A server that ran meanwhile made another file, which the backup does not bring back.
  await copyFolder(program.dataDir, copy);
  await (await program.start()).stop();
  expect(await why()).toBeNull();
  await run('cp', ['-a', `${copy}/.`, program.dataDir]);
  expect(await why()).toMatch(/restored from a backup, or copied/);
});

test('a command of our own service says that the database is the right one where no server has run since its start', async () => {
  await using postgres = await startPostgres('whole');
  await using program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS });
  const mayRecord = async () => (await askPostgres(postgres.url, 'select jobs.may_record() as may')).map(({ may }) => may);
  await askPostgres(postgres.url, `update jobs.database set verified = 'an earlier start'`);
  expect(await mayRecord()).toEqual([false]);

  await program.ok(['service', 'keys', 'create']);

  expect(await mayRecord()).toEqual([true]);
});
