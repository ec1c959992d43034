import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { reportDeliveryOf } from '../../../../src/bridge/ledger/outbox-job-store.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import { factsOf } from '../../../../src/bridge/order/facts/merge.ts';
import { claimJobs, dueKinds, renewLeases, settleJobs, writePeriodic } from '../../../../src/platform/jobs/job-store.ts';
import type { Pool, Statement } from '../../../../src/platform/postgres/postgres.ts';
import { createSealedPool } from '../../../support/keys/sealed-pool.ts';
import { fillHistory } from '../../../support/ledger/fill-history.ts';
import { planFor } from '../../../support/ledger/planned-figures.ts';
import { notingPool, type PlanOf, planOf } from '../../../support/ledger/plans.ts';
import { createOf, insertStore, type LedgerStore, paidOrder, recordCreate } from '../../../support/ledger/recorded-order.ts';
import { at, snapshot, transaction } from '../../../support/samples/order-facts.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';

/** What grows with each order. */
const TABLES = ['orders', 'order_facts', 'steps', 'deliveries', 'customers', 'jobs'];
const HISTORY = 10_000;
const GROWN = 100_000_000;
/** More rows than a page of work has. */
const MANY = 10_000;

const RECORDING = ['record-lock', 'record-known', 'record-insert', 'record-update', 'record-details'];
const DUE = ['due', 'due-round-robin', 'due-take', 'next-due'];

/** Statements of a few orders each, whose table PostgreSQL finds as it likes until it has figures: within a minute. */
const FEW = ['due-round-robin', 'due-take', 'claim'];

type Hot = { pool: Pool; store: LedgerStore; claims: readonly Claim[] };

const ledgerOf = (pool: Pool) => createClaimStore(pool, { leaseMs: 60_000 });
const first = ({ claims }: Hot): Claim => claims[0] as Claim;
const ids = (name: string) => Array.from({ length: 16 }, (_, n) => `${name}-${n}`);

/** Everything that is done for each order, by what it does: what its statements are is noted while it is done. */
const hot: Readonly<Record<string, (hot: Hot) => Promise<unknown>>> = {
  'recording new orders': ({ pool, store }) =>
    recordOrders(
      pool,
      ids('new').map((id) => paidOrder(store, id)),
    ),
  'recording news of known ones': ({ pool, store }) =>
    recordOrders(
      pool,
      ids('due').map((id) => paidOrder(store, id, { snapshot: snapshot({ updatedAt: at('12:00'), total: '30.00' }) })),
    ),
  'beginning a step': async ({ pool, store, claims }) => {
    const ledger = ledgerOf(pool);
    await Promise.all(claims.map((claim) => ledger.begin({ claim, step: createOf(claim, store) })));
  },
  'writing an answer': ({ pool, store, claims }) => {
    const ledger = ledgerOf(pool);
    return Promise.all(claims.map((claim) => recordCreate(ledger, claim, store)));
  },
  'releasing a claim': (it) => ledgerOf(it.pool).release(first(it)),
  'merging what the store answered': (it) =>
    ledgerOf(it.pool).mergeFetched(first(it), factsOf({ orderId: 'due-0', transactions: [transaction()] }, at('12:30'))),
  'writing a reply that came late': (it) => {
    const step = createOf(first(it), it.store);
    const end = { seq: step.seq, outcome: 'recorded', status: 200, detail: null, complianceId: 'R-late' };
    return ledgerOf(it.pool).recordLateReply({ orderId: first(it).id, step, end, recorded: 'yes' });
  },
  'looking whose record is in the way': (it) => ledgerOf(it.pool).otherOrderOf(first(it), 'R-1'),
  'looking whose record is in the way of an id': (it) => ledgerOf(it.pool).otherOrderOf(first(it), null),
  'claiming what is due': ({ pool }) => dueOf(pool).claim({ ...PAGE, roundRobin: false }),
  'claiming what is due in turn': ({ pool }) => dueOf(pool).claim({ ...PAGE, roundRobin: true }),
  'looking when the next one is due': ({ pool }) => dueOf(pool).nextDueMs(),
  claiming: async ({ pool, claims }) => {
    await Promise.all(claims.map((claim) => ledgerOf(pool).release(claim)));
    return Promise.all(claims.map(({ id }) => ledgerOf(pool).claim(id)));
  },
  'looking for due jobs': ({ pool }) =>
    dueKinds(pool, [
      { kind: 'forget-buyer', everyMs: null },
      { kind: 'sweep', everyMs: 1_000 },
    ]),
  'writing, claiming and ending jobs': async ({ pool, claims }) => {
    await pool.query(reportDeliveryOf(`select unnest($1::bigint[])`), [claims.map(({ id }) => id)]);
    await writePeriodic(pool, [{ kind: 'delivered', everyMs: 1_000 }]);
    const jobs = await claimJobs(pool, 'delivered', { size: 64, leaseMs: 30_000 });
    await renewLeases(pool, jobs, 30_000);
    await settleJobs(pool, { done: jobs, left: [] });
  },
};

const PAGE = { size: 32, not: [], notOf: [], notTo: [], served: {} };
const dueOf = (pool: Pool) => createDueLedger(pool, { leaseMs: 30_000, plan: async () => null });

let postgres: TestPostgres;
let pool: Pool;
/** A ledger that has no order yet, of which the planner knows nothing: a connection may keep the plan of a statement that was made then. */
let youngPostgres: TestPostgres;
let young: Pool;
const statements = new Map<string, Statement[]>();
const small = new Map<Statement, PlanOf[]>();

beforeAll(async () => {
  postgres = await startPostgres('bridge');
  pool = createSealedPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
  for (const table of TABLES) await pool.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await pool.query(`insert into jobs (kind, key, due_at) select 'forget-buyer', 'n' || n, now() + interval '1 hour' from generate_series(1, $1) n`, [HISTORY]);
  await note(await live());
  await pool.query('analyze');
  for (const statement of [...statements.values()].flat()) small.set(statement, await plansOf(statement));
  await planFor(pool, Object.fromEntries(TABLES.map((table) => [table, GROWN])));
  youngPostgres = await startPostgres('bridge');
  young = createSealedPool({ url: youngPostgres.url, schema: LEDGER_SCHEMA, max: 1, onError: () => undefined });
});
afterAll(async () => {
  await young.end();
  await youngPostgres[Symbol.asyncDispose]();
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});

/** Stores with a history, and some orders of one that are claimed. */
async function live(): Promise<Hot> {
  const stores = await Promise.all(['c_1', 'c_2', 'c_3', 'c_4'].map((id) => insertStore(pool, id)));
  const ledger = ledgerOf(pool);
  const claimed = async (store: LedgerStore, ...names: string[]): Promise<Claim[]> => {
    const { orders } = await recordOrders(
      pool,
      names.map((id) => paidOrder(store, id)),
    );
    const claims = await Promise.all(orders.map(({ id }) => ledger.claim(id)));
    return claims.flatMap((claim) => ('kind' in claim ? [] : [claim]));
  };
  for (const [n, store] of stores.entries()) {
    const [sample] = await claimed(store, 'sample');
    if (sample === undefined) throw new Error('the sample was not claimed');
    await recordCreate(ledger, sample, store);
    await fillHistory(pool, { sample: sample.id, first: n * HISTORY, count: HISTORY / stores.length, days: 700 });
  }
  const [store] = stores;
  if (store === undefined) throw new Error('there is no store');
  return { pool, store, claims: await claimed(store, ...ids('due')) };
}

async function note({ store, claims }: Hot): Promise<void> {
  for (const [name, work] of Object.entries(hot)) {
    const seen = new Map<string, Statement>();
    await work({ pool: notingPool(pool, seen), store, claims });
    statements.set(
      name,
      [...seen.values()].filter(({ text }) => TABLES.some((table) => text.includes(table))),
    );
  }
}

/** A statement with a name is kept by its connection, and may be planned once for all values. */
function plansOf(statement: Statement): Promise<PlanOf[]> {
  const kinds = statement.name === undefined ? (['custom'] as const) : (['custom', 'generic'] as const);
  return Promise.all(kinds.map((kind) => planOf(pool, statement, kind)));
}

/** How the tables that grow are read; of the others, such as connections, that may differ. */
function ofTables({ scans }: PlanOf): string[] {
  return scans.filter((scan) => TABLES.some((table) => scan.includes(` ${table}`)));
}

describe.each(Object.keys(hot))('%s', (name) => {
  test('is planned by indexes, the same with a hundred million orders as with ten thousand', async () => {
    const all = statements.get(name) ?? [];
    expect(all.length).toBeGreaterThan(0);
    for (const statement of all) {
      const grown = await plansOf(statement);
      const whole = grown.flatMap(({ scans }) => scans.filter((scan) => TABLES.some((table) => scan.startsWith(`Seq Scan ${table}`))));
      expect(whole, statement.text).toEqual([]);
      // Of what is due, some pages are put in order.
      if (statement.name?.startsWith('due') !== true) expect(Math.max(...grown.map(({ sorted }) => sorted)), statement.text).toBeLessThan(MANY);
      expect(grown.map(ofTables), statement.text).toEqual(small.get(statement)?.map(ofTables));
    }
  });
});

/** Scans of a table that grows which read all of it, or all of an index. */
function wholeScans({ scans, unbound }: PlanOf): string[] {
  return [...scans.filter((scan) => scan.startsWith('Seq Scan')), ...unbound].filter((scan) => TABLES.some((table) => scan.includes(` ${table}`)));
}

describe.each(Object.keys(hot))('%s before there is an order', (name) => {
  test('reads no table as a whole by the plan that a connection keeps', async () => {
    const kept = (statements.get(name) ?? []).filter((statement) => statement.name !== undefined && !FEW.includes(statement.name));
    for (const statement of kept) expect(wholeScans(await planOf(young, statement, 'generic')), statement.text).toEqual([]);
  });
});

test('each statement that is kept by its name was looked at', () => {
  const names = [...statements.values()].flat().flatMap(({ name }) => name ?? []);

  expect(new Set(names)).toEqual(new Set([...RECORDING, ...DUE, 'claim', 'claimed', 'begin', 'buyers-of-begun', 'write']));
});

test('the figures are those of a hundred million orders', async () => {
  const { sorted } = await planOf(pool, { text: 'select * from orders order by created_at' }, 'custom');

  expect(sorted).toBeGreaterThan(GROWN / 2);
});
