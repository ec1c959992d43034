import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
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

test('a pause says how long it lasts by the clock of the database, and is overdue once it has been over for long enough', async () => {
  const destinations = createDestinationStore(pool, seal);
  const scope = { destinationId, shopId: null, callType: 'records' } as const;
  const pause = (ms: number) => destinations.pause({ ...scope, code: 'compliance.throttled', detail: '429' }, () => ms);

  expect([await pause(30_000), await pause(1_000)].map(({ leftMs }) => Math.round(leftMs / 10_000))).toEqual([3, 3]);
  expect(await destinations.overdue(0)).toEqual([]);
  await pool.query(`update pauses set until = now() - interval '10 seconds'`);

  expect([await destinations.overdue(9), await destinations.overdue(11)]).toEqual([[scope], []]);
});
