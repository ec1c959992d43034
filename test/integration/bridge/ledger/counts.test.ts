import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addTraffic, trafficOf } from '../../../../src/bridge/intake/traffic.ts';
import { countHours } from '../../../../src/bridge/ledger/counts/count-hours.ts';
import { type Counts, readCounts, webhooksByDay } from '../../../../src/bridge/ledger/counts/read-counts.ts';
import { writeTraffic } from '../../../../src/bridge/ledger/deliveries/traffic-store.ts';
import type { Pool, Queryable } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { planOf } from '../../../support/ledger/plans.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';
import { until } from '../../../support/worlds/settled.ts';

const ledger = useLedger({ max: 6 });

const HOUR_MS = 3_600_000;
const running = new AbortController().signal;
const count = (pool: Pool = ledger.pool) => countHours(pool, running);
const hour = (ago: number, within = 0) => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - ago * HOUR_MS + within).toISOString();

type Sold = { recorded?: string; soldAt?: string; total?: string; currency?: string; topic?: string; hasReplaced?: boolean };

/** An order whose first delivery came at an instant, and which was recorded at another. */
async function sell(at: string, { recorded, soldAt = at, total = '24.00', currency = 'EUR', topic = 'order.paid' }: Sold = {}): Promise<string> {
  const { connectionId, shopId, destinationId } = ledger.store;
  const id = randomUUID();
  await ledger.pool.query(
    `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, sold_at, total, currency, state, record, created_at)
        values ($1, 'standard', 'corner', $2, $3, $4, $5, $6, $7, $8, $9) returning id),
      d as (insert into deliveries (id, connection_id, order_ref, topic, arrived_at, kept_at, outcome) select gen_random_uuid(), $3, id, $10, $9, $9, 'merged' from o)
      insert into steps (order_ref, seq, kind, revision, destination_id, outcome, status, began_at, ended_at)
      select id, 1, 'create', 1, $11, 'recorded', 200, $12::timestamptz - interval '120 ms', $12 from o where $12::timestamptz is not null`,
    [
      ...[shopId, id, connectionId, soldAt, total, currency, recorded === undefined ? 'queued' : 'recorded', recorded === undefined ? null : '{}', at],
      ...[topic, destinationId, recorded ?? null],
    ],
  );
  return id;
}

async function of(span: 'hour' | 'day', at: string, subject = ledger.store.connectionId): Promise<Partial<Counts>> {
  const [found = {}] = await readCounts(ledger.pool, { span, at: [at], subjects: [subject] });
  return found;
}

/** From the hour before that on, nothing is counted yet. */
async function since(at: string): Promise<void> {
  await ledger.pool.query('truncate counts, steps, deliveries, orders cascade');
  await ledger.pool.query('update connections set created_at = $1', [at]);
}

const dayOf = async (at: string) => {
  const before = await readCounts(ledger.pool, { span: 'day', at: [at], subjects: [''] });
  return before[0];
};

test('what happened is counted by its hour, however often it is counted', async () => {
  await since(hour(5));
  await sell(hour(3, 1_000), { recorded: hour(2, 1_000) });
  await sell(hour(3, 2_000), { recorded: hour(2, 2_000), total: '10.00', currency: 'USD' });
  await sell(hour(3, 3_000), { topic: 'reconcile' });
  for (const _ of [1, 2, 3]) await count();

  expect(await of('hour', hour(3))).toMatchObject({ received: 3, recorded: 0, accepted: 2, asked: 0 });
  expect(await of('hour', hour(2))).toMatchObject({ received: 0, recorded: 2 });
  expect(await of('hour', hour(2), '')).toMatchObject({
    recorded: 2,
    sums: [
      { currency: 'EUR', total: '24.00' },
      { currency: 'USD', total: '10.00' },
    ],
  });
  expect(await of('hour', hour(2), ledger.store.destinationId)).toMatchObject({ requests: 2, failed: 0, p50Ms: 120, p95Ms: 120 });
});

test('an order whose record was replaced was recorded once, and what has no record was not sold', async () => {
  await since(hour(5));
  const id = await sell(hour(3), { recorded: hour(3, 1_000) });
  await ledger.pool.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, outcome, status, began_at, ended_at)
     select o.id, n, k, 2, $2, out, 200, now(), $3 from orders o cross join (values (2, 'delete', 'deleted'), (3, 'create', 'recorded')) x(n, k, out) where o.order_id = $1`,
    [id, ledger.store.destinationId, hour(1)],
  );
  await count();

  expect(await of('hour', hour(3))).toMatchObject({ recorded: 1 });
  expect(await of('hour', hour(1))).toEqual({});
});

test('a process that was held up counts what was sold meanwhile, too, and writes nothing older over it', async () => {
  const at = hour(3);
  await since(hour(5));
  await sell(at, { recorded: at });
  const other = await ledger.pool.connect();
  await other.query("begin; select pg_advisory_xact_lock(hashtext('bridge counts'))");
  const counting = count();
  const waits = async () => (await other.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount === 1;
  await until(waits, { what: 'the other process to wait' });
  await sell(at, { recorded: at });
  await other.query('commit');
  other.release();
  await counting;

  const ofDay = rowsOf('counts', z.object({ sold: z.int() }));
  const text = `select sum(sold)::int as sold from counts where span = 'day' and subject = $1`;
  expect(await readOne(ledger.pool, ofDay, { text, values: [ledger.store.connectionId] })).toEqual({ sold: 2 });
});

test('what is written late in an hour that was counted is counted, too, and a person who is asked', async () => {
  await since(hour(3));
  await sell(hour(0), { recorded: hour(0) });
  await count();
  await sell(hour(0), { recorded: hour(0) });
  await ledger.pool.query(
    `insert into acts (who, act, connection_id) values ('orderbridge', 'order.needs-review', $1), ('orderbridge', 'order.unconfirmed', $1)`,
    [ledger.store.connectionId],
  );
  await count();

  const now = await readCounts(ledger.pool, { span: 'hour', at: [hour(0), hour(-1)], subjects: [ledger.store.connectionId] });
  expect(now.reduce((sum, one) => sum + one.asked, 0)).toBe(2);
  expect(await of('hour', hour(0), '')).toMatchObject({ received: 2, recorded: 2 });
});

test('hours in which no process ran are counted when one runs again, those without anything, too', async () => {
  await since(hour(70));
  await count();
  await ledger.pool.query(`delete from counts where span = 'hour' and at > $1`, [hour(60)]);
  await ledger.pool.query(`update counts set counted_until = at + interval '1 hour' where span = 'hour' and subject = ''`);
  await sell(hour(30), { recorded: hour(29) });
  await count();

  const all = await readCounts(ledger.pool, { span: 'hour', at: Array.from({ length: 70 }, (_, ago) => hour(ago)), subjects: [''] });
  expect(all).toHaveLength(70);
  expect(all.reduce((sum, one) => sum + one.recorded, 0)).toBe(1);
});

test('a count that breaks off at any statement leaves nothing half done, and the next one counts all', async () => {
  await since(hour(40));
  await sell(hour(39), { recorded: hour(38) });
  await sell(hour(2), { recorded: hour(1) });
  // From its beginning to its commit.
  for (let at = 1; at <= 8; at += 1) await expect(count(breaking(ledger.pool, at))).rejects.toThrow('broken off');
  await count();

  for (const ago of [38, 1]) expect(await of('hour', hour(ago), '')).toMatchObject({ recorded: 1 });
  for (const ago of [39, 2]) expect(await of('hour', hour(ago))).toMatchObject({ received: 1, accepted: 1 });
});

test('several processes that count at once, and receivers that write what they refused, count nothing twice', async () => {
  await since(hour(30));
  for (let ago = 1; ago < 30; ago += 1) await sell(hour(ago), { recorded: hour(ago) });
  const refuse = (at: string) =>
    trafficOf({ connectionId: ledger.store.connectionId, at, topic: 't', code: 'signature.mismatch', client: null, isPlatforms: true });
  const writes = Array.from({ length: 20 }, async (_, n) => {
    const traffic = refuse(hour(n % 3));
    addTraffic(traffic, refuse(hour(n % 3)));
    await writeTraffic(ledger.pool, [traffic]);
  });
  await Promise.all([count(), count(), count(), ...writes]);
  await count();

  const hours = await readCounts(ledger.pool, {
    span: 'hour',
    at: Array.from({ length: 30 }, (_, ago) => hour(ago)),
    subjects: [ledger.store.connectionId, ''],
  });
  const sum = (subject: string, what: 'recorded' | 'refused') => hours.filter((one) => one.subject === subject).reduce((all, one) => all + one[what], 0);
  expect(sum(ledger.store.connectionId, 'recorded')).toBe(29);
  expect(sum('', 'recorded')).toBe(29);
  expect(sum(ledger.store.connectionId, 'refused')).toBe(40);
});

test('a write of refused webhooks whose answer is lost after its commit is not written again', async () => {
  await since(hour(1));
  const traffic = trafficOf({ connectionId: ledger.store.connectionId, at: hour(0), topic: 't', code: 'body.not-json', client: null, isPlatforms: true });
  await writeTraffic(losing(ledger.pool), [traffic]);

  expect(await of('hour', hour(0))).toMatchObject({ refused: 1 });
});

test('a day is one of Sofia: of the 25 hours of the last Sunday of October, and of the 23 of that of March', async () => {
  const year = new Date().getUTCMonth() > 9 ? new Date().getUTCFullYear() : new Date().getUTCFullYear() - 1;
  const lastSunday = (month: number) => new Date(Date.UTC(year, month, 31 - new Date(Date.UTC(year, month, 31)).getUTCDay()));
  for (const [sunday, before, hours] of [
    [lastSunday(9), 3, 25],
    [lastSunday(2), 2, 23],
  ] as const) {
    const begin = new Date(sunday.getTime() - before * HOUR_MS).toISOString();
    const inDay = (n: number) => new Date(Date.parse(begin) + n * HOUR_MS).toISOString();
    await since(inDay(-3));
    for (let n = -1; n <= hours; n += 1) await sell(inDay(n), { recorded: inDay(n) });
    await count();

    expect(await dayOf(begin)).toMatchObject({ received: hours, recorded: hours });
    expect(await of('day', begin)).toMatchObject({ received: hours, sold: hours });
    expect(await dayOf(inDay(hours))).toMatchObject({ recorded: 1 });
  }
});

test('an order that was paid on another day counts there, and no more when its record is gone', async () => {
  await since(hour(2));
  const day = new Date(Date.parse(hour(0)) - 20 * 24 * HOUR_MS).toISOString().slice(0, 10);
  const begin = await midnight(day);
  const id = await sell(hour(1), { recorded: hour(1), soldAt: `${day}T12:00:00.000Z` });
  await count();
  expect(await of('day', begin)).toMatchObject({ sold: 1, recorded: 0 });

  await ledger.pool.query(`update orders set record = null, state = 'removed' where order_id = $1`, [id]);
  await ledger.pool.query(
    `insert into steps (order_ref, seq, kind, revision, destination_id, outcome, status, began_at, ended_at) select id, 2, 'delete', 1, $2, 'deleted', 200, now(), now() from orders where order_id = $1`,
    [id, ledger.store.destinationId],
  );
  await count();
  expect(await of('day', begin)).toMatchObject({ sold: 0 });
});

test('hours are kept for 14 days, days for 400', async () => {
  await since(hour(450 * 24));
  await count();

  const ago = async (span: string, days: number) =>
    (
      await ledger.pool.query(
        'select 1 from counts where span = $1 and at between now() - ($2::int + 1) * interval $$1 day$$ and now() - $2::int * interval $$1 day$$',
        [span, days],
      )
    ).rowCount ?? 0;
  expect(await ago('hour', 13)).toBeGreaterThan(20);
  expect(await ago('hour', 15)).toBe(0);
  expect(await ago('day', 398)).toBeGreaterThan(0);
  expect(await ago('day', 401)).toBe(0);
});

test('pages read what was counted by its key alone, however much there is', async () => {
  await ledger.pool.query(
    `insert into counts (span, at, subject, received) select 'hour', date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 'c_' || c, 1 from generate_series(1, 300) n, generate_series(1, 100) c
     on conflict do nothing`,
  );
  await ledger.pool.query('analyze counts');
  const seen: string[] = [];
  const noting: Pool = {
    ...ledger.pool,
    query: async (statement, values) => {
      if (typeof statement !== 'string') seen.push(...(await planOf(ledger.pool, statement, 'custom')).scans);
      return ledger.pool.query(statement, values);
    },
  };
  const rows = await readCounts(noting, { span: 'hour', at: Array.from({ length: 48 }, (_, n) => hour(n)), subjects: ['c_1', 'c_2'] });
  await webhooksByDay(noting, [hour(24), hour(0)]);

  expect(rows.length).toBeGreaterThan(90);
  expect(seen.filter((scan) => !scan.startsWith('Function Scan'))).toEqual(seen.filter((scan) => /^(Index|Bitmap).* counts/.test(scan)));
  expect(seen.length).toBeGreaterThan(1);
});

async function midnight(day: string): Promise<string> {
  const { sofiaMidnight } = await import('../../../../src/operations/reconciliation/window.ts');
  return sofiaMidnight(day);
}

/** A pool whose n-th statement within a transaction fails. */
function breaking(pool: Pool, at: number): Pool {
  let n = 0;
  return {
    ...pool,
    query: pool.query.bind(pool),
    connect: () =>
      connected(pool, async (client, statement, values) => {
        const text = typeof statement === 'string' ? statement : statement.text;
        if (text !== 'rollback') {
          n += 1;
          if (n === at) throw new Error('broken off');
        }
        return client.query(statement, values);
      }),
  };
}

/** A pool whose first commit is done, and its answer lost. */
function losing(pool: Pool): Pool {
  let isLost = false;
  return {
    ...pool,
    query: pool.query.bind(pool),
    connect: () =>
      connected(pool, async (client, statement, values) => {
        const answer = await client.query(statement, values);
        if (statement !== 'commit' || isLost) return answer;
        isLost = true;
        throw new Error('connection lost');
      }),
  };
}

type Ask = (client: Queryable, ...given: Parameters<Queryable['query']>) => ReturnType<Queryable['query']>;

async function connected(pool: Pool, ask: Ask): ReturnType<Pool['connect']> {
  const client = await pool.connect();
  return new Proxy(client, {
    get(of, name) {
      if (name === 'query') return (...given: Parameters<Queryable['query']>) => ask(of, ...given);
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
