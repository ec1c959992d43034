import { z } from 'zod';
import type { Pool, Queryable, SqlConnection, Statement } from '../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { sealedAs } from '../keys/sealed-pool.ts';

/** A pool that notes the statements that go through it, those of its transactions included; each text once. */
export function notingPool(pool: Pool, seen: Map<string, Statement>): Pool {
  const noting = <Of extends Queryable>(of: Of): Of['query'] => {
    return (statement, values) => {
      const noted = typeof statement === 'string' ? { text: statement, values: values ?? [] } : statement;
      if (!seen.has(noted.text)) seen.set(noted.text, noted);
      return of.query(statement, values);
    };
  };
  const connect = async (): Promise<SqlConnection> => {
    const client = await pool.connect();
    return new Proxy(client, { get: (of, name) => (name === 'query' ? noting(of) : bound(of, name)) });
  };
  return sealedAs(pool, { query: noting(pool), connect, end: () => pool.end() });
}

function bound(of: SqlConnection, name: string | symbol): unknown {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
}

const shape = z.object({
  'Node Type': z.string(),
  'Plan Rows': z.number(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  get Plans() {
    return z.array(shape).optional();
  },
});
type Node = z.output<typeof shape>;
const plans = rowsOf('the plan', z.object({ 'QUERY PLAN': z.array(z.object({ Plan: shape })) }));

/**
 * How a statement is carried out: `scans`: how rows of tables are found; `unbound`: those of them that go through a whole index; `sorted`: the rows of its largest
 * sort, as the planner expects them.
 */
export type PlanOf = { scans: string[]; unbound: string[]; sorted: number };

/** With these values, or as one plan for all values. */
export async function planOf(db: Queryable, { text, values = [] }: Statement, kind: 'custom' | 'generic'): Promise<PlanOf> {
  const statement = kind === 'custom' ? { text: `explain (format json) ${text}`, values } : { text: `explain (generic_plan, format json) ${text}` };
  const [root] = (await readOne(db, plans, statement))['QUERY PLAN'];
  const nodes = root === undefined ? [] : nodesOf(root.Plan);
  const scans = nodes.flatMap((node) => (/Scan/.test(node['Node Type']) ? [scanOf(node)] : []));
  const sorts = nodes.filter((node) => /Sort/.test(node['Node Type'])).map((node) => node['Plan Rows']);
  const unbound = nodes.flatMap((node) => (/Index/.test(node['Node Type']) && node['Index Cond'] === undefined ? [scanOf(node)] : []));
  return { scans: [...new Set(scans)].sort(), unbound: [...new Set(unbound)].sort(), sorted: Math.max(0, ...sorts) };
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function scanOf(node: Node): string {
  return [node['Node Type'], node['Relation Name'], node['Index Name']].filter((part) => part !== undefined).join(' ');
}
