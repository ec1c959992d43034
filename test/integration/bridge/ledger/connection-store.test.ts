import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import type { NewConnection } from '../../../../src/bridge/connections/new-connection.ts';
import { type ConnectionStore, createConnectionStore } from '../../../../src/bridge/ledger/connections/connection-store.ts';
import { createDestinationStore } from '../../../../src/bridge/ledger/connections/destination-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createPool, type Pool } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';

const seal = sealer(Buffer.alloc(32, 7));
let postgres: TestPostgres;
let pool: Pool;
let connections: ConnectionStore;
let destinationId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  await migrateLedger(pool);
  connections = createConnectionStore(pool, seal);
  destinationId = await createDestinationStore(pool, seal).ensure('https://api.example', { apiKey: 'key', apiSecret: 'secret' });
});
afterAll(async () => {
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});

async function connect(changes: Partial<NewConnection>) {
  const input = { platform: 'own', name: 'corner', secret: 's', shopId: randomUUID(), settings: {}, access: null, store: null };
  const given = { ownShop: true, hosts: [], identity: null, claim: null, recordFrom: null };
  const made = await connections.create({ ...input, ...given, destinationId, ...changes });
  if (!('connection' in made)) throw new Error('the shop is taken');
  return made.connection;
}

test.each([
  ['that nobody else names keeps its earlier name', { ownShop: true }, 'corner'],
  ['whose deliveries name it is named by the first of them', { ownShop: false }, null],
  ['of another platform is another store', { platform: 'other' }, null],
  ['that is named otherwise now is another one', { ownShop: false, store: 'corner.example', hosts: ['corner.example'] }, 'corner.example'],
])('a store that is connected again and %s', async (_what, changes, name) => {
  const before = await connect({});
  await connections.pinStore(before.id, 'corner');
  await connections.close(before.id);

  expect((await connect({ name: 'Corner, anew', shopId: before.shopId, ...changes })).store).toBe(name);
});

test('the access to a store’s API is kept sealed', async () => {
  const access = { url: 'https://corner.example', consumerKey: 'ck_1', consumerSecret: 'cs_2' };
  const { id } = await connect({ access });
  const stored = rowsOf('connections', z.object({ store_access: z.string() }));
  const { store_access: sealed } = await readOne(pool, stored, { text: 'select store_access from connections where id = $1', values: [id] });

  expect(sealed).not.toContain('cs_2');
  expect((await connections.find(id))?.access).toEqual(access);
});

test('the list has each change at once, whoever made it, and what is as it was is the same object', async () => {
  const [changed, same] = [await connect({ name: 'before' }), await connect({ name: 'quiet' })];
  const listed = async ({ id }: { id: string }) => (await connections.list()).find((one) => one.id === id);
  const first = await listed(same);

  await pool.query(`update connections set name = 'after' where id = $1`, [changed.id]);
  expect(await listed(changed)).toMatchObject({ name: 'after', hosts: [] });
  await pool.query(`insert into connection_hosts (connection_id, host, ownership) values ($1, 'a.example', 'quarantined')`, [changed.id]);
  expect(await listed(changed)).toMatchObject({ hosts: [{ host: 'a.example', dismissed: 0 }] });
  await pool.query('update connection_hosts set dismissed = 3 where connection_id = $1', [changed.id]);
  expect(await listed(changed)).toMatchObject({ hosts: [{ dismissed: 3 }] });
  await connections.close(changed.id);
  expect(await listed(changed)).toMatchObject({ closedAt: expect.any(String) });
  expect(await listed(same)).toBe(first);
  expect((await connections.list()).map(({ createdAt }) => createdAt)).toEqual((await connections.list()).map(({ createdAt }) => createdAt).toSorted());
  await pool.query('delete from connections where id = $1', [changed.id]);
  expect(await listed(changed)).toBeUndefined();
});

describe('a start that moves without the settings that name it', () => {
  const moved = '2026-11-01T00:00:00.000Z';
  const unchanged = { name: null, secrets: null, access: null, storeIdentity: null, destinationId: null, settings: null, host: null, cures: [] };
  const again = async (before: Connection, changes: Partial<NewConnection>) => {
    await connections.close(before.id);
    return (await connect({ platform: 'other', ownShop: false, shopId: before.shopId, recordFrom: moved, ...changes })).id;
  };

  test.each<[string, (before: Connection) => Promise<string>]>([
    ['of a live store', async ({ id }) => (await connections.replace(id, { ...unchanged, recordFrom: moved }))?.id ?? ''],
    ['by a backfill', async ({ id }) => (await connections.moveRecordFrom(id, moved))?.id ?? ''],
    ['of a store that is connected again', (before) => again(before, { store: 'corner.example', hosts: ['corner.example'], settings: null })],
    [
      'of a store that its first delivery names',
      async (before) => {
        const id = await again(before, { settings: null });
        await connections.pinStore(id, 'corner.example');
        return id;
      },
    ],
    ['of a new store', (before) => again(before, { shopId: randomUUID(), settings: before.settings })],
  ])('%s stays where it is when another of them changes', async (_what, move) => {
    const store = { platform: 'other', ownShop: false, store: 'corner.example', hosts: ['corner.example'] };
    const id = await move(await connect({ ...store, settings: { recordFrom: '2026-11-15T00:00:00+02:00' } }));

    const edited = await connections.changeSettings(id, { by: 'test', edit: ({ settings }) => ({ ...settings, notes: true }) });

    expect(edited).toMatchObject({ connection: { recordFrom: moved }, before: { recordFrom: moved }, after: { recordFrom: moved } });
  });
});

test('what was left out before a backfill moved the start is decided again', async () => {
  const { id } = await connect({ recordFrom: '2026-11-15T00:00:00.000Z' });
  const text = `insert into orders (shop_id, platform, store, order_id, connection_id, state) select shop_id, platform, name, '1', id, 'ignored' from connections where id = $1`;
  await pool.query(text, [id]);

  await connections.moveRecordFrom(id, '2026-11-01T00:00:00.000Z');

  const states = rowsOf('orders', z.object({ state: z.string() }));
  expect(await readOne(pool, states, { text: 'select state from orders where connection_id = $1', values: [id] })).toEqual({ state: 'queued' });
});

test('a pause says how long it lasts by the clock of the database, and is overdue once it has been over for long enough', async () => {
  const destinations = createDestinationStore(pool, seal);
  const scope = { destinationId, shopId: null, callType: 'records' } as const;
  const pause = (ms: number) => destinations.pause({ ...scope, code: 'compliance.throttled', detail: '429' }, () => ms);

  expect([await pause(30_000), await pause(1_000)].map(({ leftMs }) => Math.round(leftMs / 10_000))).toEqual([3, 3]);
  expect(await destinations.overdue(0)).toEqual([]);
  await pool.query(`update pauses set until = now() - interval '10 seconds'`);

  expect([await destinations.overdue(9), await destinations.overdue(11)]).toEqual([[scope], []]);
});
