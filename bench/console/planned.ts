import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { planFor } from '../../test/support/ledger/planned-figures.ts';
import type { BenchWorld } from './world.ts';

/** How the statements of a page are planned. `cost`: the planner's, of the dearest `statement`. `whole`: the tables that grow with orders of which it reads all rows. */
export type PagePlans = { cost: number; statement: string; whole: string[] };

const shape = z.object({
  'Node Type': z.string(),
  'Total Cost': z.number(),
  Schema: z.string().optional(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(shape).optional();
  },
});
type Plans = { since(): PagePlans } & AsyncDisposable;

const EXPLAIN = [
  `session_preload_libraries = 'auto_explain'`,
  `auto_explain.log_min_duration = 0`,
  `auto_explain.log_format = 'json'`,
  `auto_explain.log_nested_statements = on`,
  // Else without schemas.
  `auto_explain.log_verbose = on`,
];

type Node = z.output<typeof shape>;
const plan = z.object({ 'Query Text': z.string(), Plan: shape });

// Tables and indexes with a row for every second order at least; what waits for a person does not grow.
const GROWN = `with sizes as (select n.oid, (select reltuples from pg_class where oid = to_regclass(n.nspname || '.orders')) as orders
    from pg_namespace n where n.nspname in ('bridge', 'compliance'))
  select c.oid::regclass::text as name, c.reltuples::float8 as now, c.reltuples * $1::float8 / s.orders as rows
  from pg_class c join sizes s on s.oid = c.relnamespace where c.relkind in ('r', 'i') and c.reltuples >= s.orders / 2 order by 1`;

/** Until it is disposed new sessions plan as if there were so many orders, of which those that are there are a sample. `since`: how, since it was asked last. */
export async function planned({ folder, databaseUrl }: Pick<BenchWorld, 'folder' | 'databaseUrl'>, orders: number): Promise<Plans> {
  await using setup = new AsyncDisposableStack();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  setup.defer(() => client.end());
  const { rows } = await client.query<{ name: string; now: number; rows: number }>(GROWN, [orders]);
  const inTurn = async (statements: readonly string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  setup.defer(() => planFor(client, Object.fromEntries(rows.map(({ name, now }) => [name, now]))));
  setup.defer(() => inTurn(['alter database console reset all', 'alter system reset autovacuum', 'select pg_reload_conf()']));
  await inTurn(['alter system set autovacuum = off', 'select pg_reload_conf()', ...EXPLAIN.map((setting) => `alter database console set ${setting}`)]);
  await planFor(client, Object.fromEntries(rows.map((one) => [one.name, one.rows])));
  const owned = setup.move();
  return { since: reader(join(folder, 'data/postgres.log'), new Set(rows.map(({ name }) => name))), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function reader(logFile: string, grown: ReadonlySet<string>): () => PagePlans {
  let read = readFileSync(logFile).length;
  return () => {
    const log = readFileSync(logFile);
    const text = log.subarray(read).toString();
    read = log.length;
    const roots = [...text.matchAll(/ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) => plan.parse(JSON.parse(json)));
    const whole = roots
      .flatMap(({ Plan }) => nodesOf(Plan))
      .filter(isWhole)
      .map((node) => `${node.Schema}.${node['Relation Name']}`);
    const [dearest] = roots.toSorted((a, b) => b.Plan['Total Cost'] - a.Plan['Total Cost']);
    return {
      cost: dearest?.Plan['Total Cost'] ?? 0,
      statement: dearest?.['Query Text'] ?? '',
      whole: [...new Set(whole)].filter((name) => grown.has(name)).sort(),
    };
  };
}

/** But for one that ends when there are enough rows. */
function nodesOf(node: Node): Node[] {
  const below = (node.Plans ?? []).filter((child) => node['Node Type'] !== 'Limit' || !isWhole(child));
  return [node, ...below.flatMap(nodesOf)];
}

function isWhole(node: Node): boolean {
  return node['Node Type'] === 'Seq Scan';
}
