import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countSealed } from '../../../src/bridge/ledger/keys/sealed-rows.ts';
import { reportKeys } from '../../../src/operations/keys/report-keys.ts';
import { rotateKeys } from '../../../src/operations/keys/rotate-keys.ts';
import { MARKS, SEALED_COLUMNS } from '../../../src/operations/keys/sealed-columns.ts';
import { PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import type { Queryable } from '../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { type KeyProcess, killedAt, NEW, OLD, openKeyProcess, Sealed } from '../../support/keys/key-process.ts';
import { rotateKilled } from '../../support/keys/killed-rotation.ts';
import { insertStore } from '../../support/ledger/recorded-order.ts';
import { runs, SEED } from '../../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

const BOTH = `${NEW},${OLD}`;
const said = { by: PROGRAM };
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** With the tables of both programs, and data keys under the old one. */
async function newDatabase(): Promise<string> {
  const url = await postgres.createDatabase('whole');
  await using _ = await openKeyProcess(url, OLD);
  return url;
}

const report = ({ pool, keys }: KeyProcess, jobs: string[] = []) => reportKeys({ pool, masters: keys.masters.map(({ id }) => id), jobs: async () => jobs });
const ofFormer = async (one: KeyProcess) => (await report(one)).purposes.reduce((sum, { sealedBefore }) => sum + sealedBefore, 0);

test('a planned rotation seals the data keys alone, and the old key may go', async () => {
  const url = await newDatabase();
  const sealed = new Sealed();
  await using server = await openKeyProcess(url, BOTH, 'all');
  await sealed.add(server);
  const [newest = '', old = ''] = server.keys.masters.map(({ id }) => id);
  const texts = async () => (await report(server)).purposes.map(({ sealed: count, dataKey }) => [dataKey, count]);
  const before = await texts();
  expect((await report(server)).mayGo).toEqual([]);

  await expect(rotateKeys(server, { isLeaked: false, ...said })).resolves.toMatchObject({ newest, dataKeys: before.length, sealed: 0 });

  expect(await texts()).toEqual(before);
  expect(await report(server)).toMatchObject({
    mayGo: [old],
    masters: [
      { id: newest, unknownTo: null },
      { id: old, dataKeys: 0 },
    ],
    unknown: 0,
  });
  await using later = await openKeyProcess(url, NEW);
  expect(await sealed.opened(later)).toEqual([2, 2]);
  await expect(rotateKeys(later, { isLeaked: false, ...said })).rejects.toThrow('put a new key before it');
  await using wrong = await openKeyProcess(url, OLD);
  expect(wrong.keys.problem).toContain(`lacks the key that the secrets in the database were encrypted with, ${newest}: add the one`);
  await expect(wrong.destinations.ensure('https://api.example', { apiKey: 'a', apiSecret: 'b' })).rejects.toThrow('lacks the key');
});

test('it is refused, and nothing is changed, while a process does not know the newest key', async () => {
  const url = await newDatabase();
  await using without = await openKeyProcess(url, OLD, 'receiver');
  await using server = await openKeyProcess(url, BOTH, 'worker');
  const before = await report(server);

  for (const isLeaked of [false, true])
    await expect(rotateKeys(server, { isLeaked, ...said })).rejects.toThrow(/is not known to receiver on .+ \(since .+\); nothing/);

  expect(await report(server)).toEqual(before);
  expect(before.masters[0]?.unknownTo).toContain('receiver');
  await without[Symbol.asyncDispose]();
  await expect(rotateKeys(server, { isLeaked: false, ...said })).resolves.toMatchObject({ broken: [] });
});

test('after a leak everything is sealed with new data keys, while two processes seal and open', async () => {
  const url = await newDatabase();
  const sealed = new Sealed();
  await using one = await openKeyProcess(url, BOTH, 'worker');
  await using two = await openKeyProcess(url, BOTH, 'receiver');
  await using command = await openKeyProcess(url, BOTH);
  for (let n = 0; n < 5; n += 1) await sealed.add(one);
  await one.pool.query(`insert into inbox (id, delivery) select gen_random_uuid(), jsonb_build_object('sealed', credentials) from destinations limit 1`);
  const [moved = ''] = (await one.destinations.list()).map(({ id }) => id);
  const seen = { isOver: false, times: 0 };
  const work = [one, two].map(async (process, at, both) => {
    while (!seen.isOver) {
      await sealed.add(process);
      const [opened, wanted] = await sealed.opened(both[1 - at] as KeyProcess);
      expect(opened).toBe(wanted);
      seen.times += 1;
    }
  });
  const all = Promise.all(work);
  const [mark, digest] = [one.keys.sealer.mark('a@b.example'), one.keys.sealer.digest('a@b.example')];
  // The key of marks stays.
  const waiting = (await report(one)).purposes.filter(({ purpose }) => purpose !== MARKS).map(({ dataKey }) => JSON.stringify({ body: `v1.${dataKey}.abc` }));

  const rotated = await rotateKeys(command, { isLeaked: true, ...said });

  const before = seen.times;
  await Promise.race([until(() => seen.times > before + 2, { what: 'both to seal and open with the new keys' }), all]);
  seen.isOver = true;
  await all;
  expect(rotated.sealed).toBeGreaterThanOrEqual(10);
  expect(await ofFormer(one)).toBe(0);
  expect((await report(one, waiting)).waiting).toEqual({ inbox: 1, queue: waiting.length });
  await using later = await openKeyProcess(url, NEW);
  expect(await sealed.opened(later)).toEqual(await sealed.opened(one));
  await expect(rotateKeys(command, { isLeaked: true, ...said })).rejects.toThrow('nothing is sealed with another key');
  // Nobody could make other marks of mailboxes whose addresses are not kept.
  expect(later.keys.sealer.mark('a@b.example')).toEqual(mark);
  expect(later.keys.sealer.digest('a@b.example')).not.toBe(digest);
  // A process that was silent for long seals with an old key: that is counted, and mended by another run.
  await one.pool.query(`update destinations set credentials = (select delivery ->> 'sealed' from inbox) where id = $1`, [moved]);
  expect(await ofFormer(one)).toBe(1);
  await rotateKeys(command, { isLeaked: true, ...said });
});

test('a text that was moved is named, and stops nothing else', async () => {
  const url = await newDatabase();
  const sealed = new Sealed();
  await using server = await openKeyProcess(url, BOTH);
  await sealed.add(server);
  await server.destinations.ensure('https://api.example', { apiKey: 'moved', apiSecret: 'x' });
  await server.pool.query(
    `update destinations set credentials = (select sealed_secret from compliance.api_keys) where key_digest = encode(sha256('moved'), 'hex')`,
  );

  const { broken, sealed: count } = await rotateKeys(server, { isLeaked: true, ...said });

  expect({ broken, count }).toEqual({ broken: [expect.stringMatching(/^bridge\.destinations\.credentials of [0-9a-f-]{36}$/)], count: 2 });
  expect(await sealed.opened(server)).toEqual([2, 2]);
});

test('a large table is looked through in parts, so that no statement takes too long, and nothing in it is left out', async () => {
  const url = await newDatabase();
  await using server = await openKeyProcess(url, BOTH);
  const { connectionId, shopId } = await insertStore(server.pool, 'c_large');
  const ends = await readOne(server.pool, rowsOf('orders', z.object({ first: z.string(), last: z.string() })), {
    text: `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, state) select $1, 'standard', 'corner', n::text, $2, 'queued' from generate_series(1, 40001) n returning id)
      select min(id)::text as first, max(id)::text as last from o`,
    values: [shopId, connectionId],
  });
  for (const id of Object.values(ends)) {
    const sentWith = server.keys.sealer.seal('a buyer', { table: 'bridge.orders', column: 'open_step', id });
    await server.pool.query('update orders set open_step = $2 where id = $1', [id, { sentWith }]);
  }
  const statements: string[] = [];
  const query = (asked: { text: string; values: unknown[] }) => {
    statements.push(asked.text);
    return server.pool.query(asked);
  };

  const [{ dataKey } = { dataKey: '' }] = (await report(server)).purposes.filter(({ purpose }) => purpose === 'buyers');
  expect((await countSealed({ query } as Queryable, SEALED_COLUMNS)).get(dataKey ?? '')).toBe(2);
  // The last of them finds nothing more.
  expect(statements.filter((text) => text.includes('bridge.orders'))).toHaveLength(4);
  expect(await rotateKeys(server, { isLeaked: true, ...said })).toMatchObject({ sealed: 2, broken: [] });
  expect(await ofFormer(server)).toBe(0);
});

test('a data key that is not known yet is read at once', async () => {
  const url = await newDatabase();
  await using server = await openKeyProcess(url, OLD);
  await using other = await openKeyProcess(url, OLD);
  await server.keys[Symbol.asyncDispose]();
  const id = await server.destinations.ensure('https://api.example', { apiKey: 'a', apiSecret: 'b' });
  server.keys.sealer.take([]);
  await expect(server.destinations.find(id)).rejects.toThrow('does not open');

  expect(await until(() => server.destinations.find(id), { what: 'the key to be read' })).toMatchObject({ credentials: { apiSecret: 'b' } });
  expect(await other.destinations.find(id)).toMatchObject({ credentials: { apiSecret: 'b' } });
});

describe('a rotation after a leak that is killed', () => {
  /** More than it takes, so that the last ones end by themselves. */
  const STATEMENTS = 400;
  const COUNT = runs(6, 50);

  test(`${COUNT} times at random statements goes on each time, and loses nothing`, async () => {
    const url = await newDatabase();
    const sealed = new Sealed();
    await using server = await openKeyProcess(url, OLD, 'all');
    for (let n = 0; n < 3; n += 1) await sealed.add(server);
    await server[Symbol.asyncDispose]();
    let random = SEED;
    let masters = OLD;
    for (let n = 0, turn = 0; n < COUNT; turn += 1) {
      masters = `${(0x10 + turn).toString(16).repeat(32).slice(-64).padStart(64, '3')},${masters.split(',')[0]}`;
      await using process = await openKeyProcess(url, masters);
      for (let isOver = false; !isOver; ) {
        random = (random * 48_271 + 11) % 2_147_483_647;
        const pool = killedAt(process.pool, random % STATEMENTS);
        isOver = await rotateKeys({ pool, keys: process.keys }, { isLeaked: true, ...said }).then(
          () => true,
          (thrown: unknown) => {
            // It was killed when everything was done.
            if (String(thrown).includes('nothing is sealed with another key')) return true;
            if (!String(thrown).includes('killed')) throw thrown;
            return false;
          },
        );
        if (!isOver) n += 1;
        expect(await sealed.opened(process)).toEqual([6, 6]);
      }
      expect(await ofFormer(process)).toBe(0);
      await using later = await openKeyProcess(url, masters.split(',')[0] as string);
      expect(await sealed.opened(later)).toEqual([6, 6]);
    }
  });

  const PROCESSES = runs(2, 50);
  test(`${PROCESSES} times by kill -9 at random moments goes on in the next process, and loses nothing`, async () => {
    const url = await newDatabase();
    const sealed = new Sealed();
    await using first = await openKeyProcess(url, OLD);
    for (let n = 0; n < 20; n += 1) await sealed.add(first);
    await first[Symbol.asyncDispose]();
    let random = SEED;
    const below = (most: number) => {
      random = (random * 48_271 + 11) % 2_147_483_647;
      return random % most;
    };
    const look = async (masters: string) => {
      await using now = await openKeyProcess(url, masters);
      expect(await sealed.opened(now)).toEqual([40, 40]);
    };

    const left = await rotateKilled({ databaseUrl: url, leaked: OLD, times: PROCESSES, below, look });

    await using later = await openKeyProcess(url, left);
    expect(await sealed.opened(later)).toEqual([40, 40]);
    expect(await ofFormer(later)).toBe(0);
  });
});
