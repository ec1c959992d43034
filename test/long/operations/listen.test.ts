import { expect, test } from 'vitest';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { createConnectionStore } from '../../../src/bridge/ledger/connections/connection-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { type Tailed, type TailedEvent, tail } from '../../../src/operations/activity/tail.ts';
import { createPool, inTransaction, type Pool, reserveConnection, sealBy, sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { BY } from '../../support/samples/by.ts';
import { startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { recorded, useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();

type Ear = { all: Tailed[]; event(): TailedEvent[]; words(): string[] } & AsyncDisposable;

/** Listens until it is disposed of; returns once the first look is over, with which its time begins. */
async function ear(
  deps: Parameters<typeof tail>[0],
  { connection = null, since = null }: { connection?: string | null; since?: string | null } = {},
): Promise<Ear> {
  const all: Tailed[] = [];
  const stop = new AbortController();
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const pool: Pool = {
    query: (...given) => deps.pool.query(...given),
    connect: () => {
      looks += 1;
      if (looks === 2) first.resolve();
      return deps.pool.connect();
    },
    end: async () => undefined,
  };
  sealBy(pool, sealerOf(deps.pool));
  const listening = (async () => {
    for await (const event of tail({ ...deps, pool }, { connection, since, everyMs: 20, signal: stop.signal })) all.push(event);
  })();
  await first.promise;
  const event = () => all.flatMap((event) => ('event' in event ? [event.event] : []));
  return {
    all,
    event,
    words: () => event().map(({ words }) => words),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await listening;
    },
  };
}

const looked = async (it: Ear, words: RegExp) => until(() => it.words().some((one) => words.test(one)), { what: `${words} among ${it.words().join(' | ')}` });

async function act(pool: Pool, subject: string): Promise<void> {
  await inTransaction(pool, (tx) => writeBridgeActs(tx, [{ who: BY, act: 'queue.resumed', subject }]));
}

test('the way of an order is heard as it happens, each event once and without its buyer', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const other = await it.bridge.connect({ name: 'Elsewhere' });
  await recorded(it, connected, '1');
  await using everything = await ear(it.bridge.app.core);
  await using own = await ear(it.bridge.app.core, { connection: connected.connection.id });

  await recorded(it, connected, '2');
  await it.bridge.send(other, 'order.paid', { order: orderOf('3', { payment: { method: 'shells' } }) });
  await it.bridge.settled(other, '3', 'review');
  await looked(everything, /payment\.unmapped/);
  await looked(everything, /^create record: done/);
  await looked(own, /^create record: done/);

  const of = (id: string) => everything.event().filter(({ orderId }) => orderId === id);
  expect(of('1')).toEqual([]);
  expect(of('2').map(({ words }) => words)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^webhook accepted: merged, the order is /), 'create record: done (200)']),
  );
  expect(of('3').map(({ store, words }) => `${store}: ${words}`)).toContain('Elsewhere: Sent to review: payment.unmapped, by orderbridge');
  // By what is printed of them, both are found.
  const { id: orderRef } = await it.bridge.settled(connected, '2', 'recorded');
  const came = of('2').find(({ words }) => words.startsWith('webhook accepted'));
  const there = await it.bridge.pool.query('select from deliveries where id = $1 and order_ref = $2', [came?.webhookId, came?.orderRef]);
  expect([came?.orderRef, there.rowCount]).toEqual([orderRef, 1]);
  expect(own.event().every(({ store }) => store === 'Corner')).toBe(true);
  expect(new Set(everything.event().map((one) => JSON.stringify(one))).size).toBe(everything.event().length);
  expect(JSON.stringify(everything.all)).not.toMatch(/maria|example\.invalid/i);
});

test('what is committed late is heard once, and nothing else twice', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  await using all = await ear(it.bridge.app.core);
  using early = await reserveConnection(pool);

  await early.client.query('begin');
  await writeBridgeActs(early.client, [{ who: BY, act: 'queue.resumed', subject: 'begun first' }]);
  await act(pool, 'committed first');
  await looked(all, /committed first/);
  await act(pool, 'committed second');
  await looked(all, /committed second/);
  expect(all.words().join()).not.toContain('begun first');
  await early.client.query('commit');
  await looked(all, /begun first/);
  await act(pool, 'the last');
  await looked(all, /the last/);

  expect(all.words().map((words) => /\((.*)\)/.exec(words)?.[1])).toEqual(['committed first', 'committed second', 'begun first', 'the last']);
});

test('two writers whose transactions overlap lose and double no line', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  await using all = await ear(it.bridge.app.core);
  const writer = async (name: string, statements: number) => {
    for (let round = 0; round < 60; round += 1) {
      await inTransaction(pool, async (tx) => {
        for (let n = 0; n < statements; n += 1) await writeBridgeActs(tx, [{ who: BY, act: 'queue.resumed', subject: `${name} ${round}.${n}` }]);
      });
    }
  };

  await Promise.all([writer('a', 1), writer('b', 7)]);
  await until(() => all.event().length >= 480, { what: 'all lines' });
  await act(pool, 'the last');
  await looked(all, /the last/);

  expect(all.words().length).toBe(481);
  expect(new Set(all.words()).size).toBe(481);
});

test('a row that is written again is no other event', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await using all = await ear(it.bridge.app.core);
  await recorded(it, connected, '1');
  await looked(all, /accepted: merged/);

  await it.bridge.pool.query('update deliveries set cut = true');
  await act(it.bridge.pool, 'the last');
  await looked(all, /the last/);

  expect(all.words().filter((words) => words.includes('accepted'))).toHaveLength(1);
});

test('--since begins with what happened before, and goes on without a gap', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  await act(pool, 'before');
  await using all = await ear(it.bridge.app.core, { since: new Date(Date.now() - 60_000).toISOString() });
  await looked(all, /before/);
  await act(pool, 'after');
  await looked(all, /after/);

  expect(all.words().filter((words) => /before|after/.test(words))).toHaveLength(2);
});

test('a pause and its end are heard', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const { destinations } = it.bridge.app.core;
  const scope = { destinationId: connection.destinationId, shopId: connection.shopId, callType: 'records' } as const;
  await using all = await ear(it.bridge.app.core);

  await destinations.pause({ ...scope, code: 'compliance.misconfigured', detail: 'no such shop' }, () => 60_000);
  await looked(all, /paused: compliance\.misconfigured/);
  await destinations.resume(scope);
  await looked(all, /works again/);

  expect(all.event().filter(({ of }) => of === 'pause')).toMatchObject([{ store: 'Corner' }, { store: 'Corner' }]);
});

test('it says that the database is away, goes on when it is back, and misses nothing', async () => {
  await using postgres = await startOwnPostgres();
  await using resources = new AsyncDisposableStack();
  const pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
  resources.defer(() => pool.end());
  await migrateLedger(pool);
  const sealing = sealer(Buffer.alloc(32, 1));
  sealBy(pool, sealing);
  await using all = await ear({ pool, connections: createConnectionStore(pool, sealing) });
  await act(pool, 'before');
  await looked(all, /before/);

  await postgres.stop();
  await until(() => all.all.some((event) => 'lost' in event), { what: 'the loss to be said' });
  await postgres.start();
  await until(() => act(pool, 'after').then(() => true), { what: 'the database to take acts' });
  await looked(all, /after/);

  expect(all.all.map((event) => ['event', 'lost', 'back'].find((kind) => kind in event))).toEqual(['event', 'lost', 'back', 'event']);
});

test('Ctrl-C ends it at once', async () => {
  await using it: World = await world({ role: 'receiver' });
  const stop = new AbortController();
  const events = tail(it.bridge.app.core, { connection: null, since: null, everyMs: 3_600_000, signal: stop.signal });
  const next = events.next();
  stop.abort();

  expect(await next).toEqual({ value: undefined, done: true });
});
