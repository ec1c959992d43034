import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiled } from '../../support/servers/compiled.ts';
import { type Fate, gateAt, type Structure, structureOf } from '../../support/servers/ddl-gate.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { expectCarriedOver } from '../../support/worlds/carried-over.ts';
import { until } from '../../support/worlds/settled.ts';
import { type Left, leftBehind } from '../../support/worlds/upgrade-world.ts';

const COMMIT = 'be7c6c0';
const BIN = join(import.meta.dirname, '../../../bin/orderbridge.mjs');
const QUICK = { PORT: '0', BNB_RATES_URL: 'off', SETTLE_SECONDS: '0', SWEEP_SECONDS: '1', LEASE_SECONDS: '3', STALLED_SECONDS: '2' };
/** The statement of a start at which it is broken off: the first ones, then at growing distances, since there may be many. */
const PLACES = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987];

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

type Started = { ended: Promise<number | null>; isReady(): boolean; url(): string; kill(): Promise<void> } & AsyncDisposable;

/** A start that may not finish. */
function start({ env }: Left): Started {
  const child = spawn(process.execPath, [BIN, 'start'], { env: { ...QUICK, ...compiled(), ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  const port = () => /"event":"started".*?"port":(\d+)/.exec(log)?.[1];
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { ended, isReady: () => port() !== undefined, url: () => `http://127.0.0.1:${port()}`, kill, [Symbol.asyncDispose]: kill };
}

/** Starts the program repeatedly, each time broken off a little later, until it succeeds. */
async function startAtLast(left: Left, client: pg.Client, onBroken: () => Promise<void>): Promise<Started> {
  for (const [n, place] of PLACES.entries()) {
    const fate: Fate = n % 2 === 0 ? 'fails' : 'hangs';
    const gate = await gateAt(client, place, fate);
    const started = start(left);
    await until(async () => started.isReady() || (await gate.reached()), { what: 'the start to be broken off, or to be through', timeoutMs: 30_000 });
    const isThrough = !(await gate.reached());
    if (!isThrough && fate === 'hangs') await started.kill();
    if (!isThrough) expect(await started.ended).not.toBe(0);
    await gate.lift();
    if (isThrough) return started;
    await onBroken();
  }
  throw new Error(`the start has more than ${PLACES.at(-1)} statements`);
}

/** A database right after it was migrated: the columns as they are at the end, and every row that was there, but for the lists of what was run. */
function carriedOver(before: Structure, end: Structure, asked: number): Structure {
  const lists = Object.entries(end.rows).filter(([table]) => /\.(migrations|functions)$/.test(table));
  const added = Object.keys(end.rows).filter((table) => !(table in before.rows));
  // Every connection that was there is looked after from then on, every order that waited for a person is counted, and each has facts; alerts are judged by one process.
  const filled = {
    'bridge.watches': before.rows['bridge.connections'] ?? 0,
    'bridge.alert_watch': 1,
    'bridge.asked_orders': asked,
    'bridge.order_facts': before.rows['bridge.orders'] ?? 0,
  };
  return { columns: end.columns, rows: { ...Object.fromEntries(added.map((table) => [table, 0])), ...filled, ...before.rows, ...Object.fromEntries(lists) } };
}

/** How many orders wait for a person. */
async function askedIn(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from bridge.orders where state in ('parked', 'unconfirmed')`);
  return Number(rows[0]?.count);
}

function schemasOf({ columns }: Structure): Set<string> {
  return new Set(columns.map((column) => column.slice(0, column.indexOf('.') + 1)));
}

/** Each schema is migrated in a transaction of its own. */
function partOf({ columns, rows }: Structure, schema: string): Structure {
  const own = (name: string) => name.startsWith(schema);
  return { columns: columns.filter(own), rows: Object.fromEntries(Object.entries(rows).filter(([table]) => own(table))) };
}

test('a start that is broken off or killed in the middle of a migration leaves each schema as it was, or whole, and the next one carries over whole', async () => {
  await using left = await leftBehind(COMMIT, { kind: 'database', postgres });
  const client = new pg.Client({ connectionString: left.databaseUrl });
  // If the test fails before the database ends, that failure is the one reported.
  client.on('error', () => undefined);
  await client.connect();
  await using _ = { [Symbol.asyncDispose]: () => client.end() };
  const before = await structureOf(client);
  const asked = await askedIn(client);
  expect(asked).toBeGreaterThan(0);
  const seen: Structure[] = [];

  await using server = await startAtLast(left, client, async () => void seen.push(await structureOf(client)));
  await expectCarriedOver({ ...left, server: { url: server.url() } });

  const after = carriedOver(before, await structureOf(client), asked);
  expect(seen.length).toBeGreaterThan(0);
  for (const schema of schemasOf(after)) {
    const [old, done] = [before, after].map((one) => partOf(one, schema));
    const states = seen.map((one) => partOf(one, schema));
    for (const state of states) expect([old, done]).toContainEqual(state);
    const stages = states.map((state) => Number(!isDeepStrictEqual(state, old)));
    expect(stages, `${schema} never goes back`).toEqual(stages.toSorted());
  }
}, 120_000);

test('two processes that start at once carry over whole, once', async () => {
  await using left = await leftBehind(COMMIT, { kind: 'database', postgres });

  const [server] = await Promise.all([left.program.start(), left.program.start()]);

  await expectCarriedOver({ ...left, server });
}, 120_000);
