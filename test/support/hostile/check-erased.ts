import { zstdDecompressSync } from 'node:zlib';
import { openBody } from '../../../src/bridge/delivery/sealed-delivery.ts';
import { openBuyer } from '../../../src/bridge/ledger/buyers.ts';
import type { Sealer } from '../../../src/platform/seal.ts';
import { keptInRedis } from '../at-rest/search-dump.ts';
import type { HostileStage } from './hostile-stage.ts';
import { BUYER } from './order-bodies.ts';
import type { Meaning } from './shot.ts';
import { noneOf, type Verdict } from './verdict.ts';

const PAGE = 1_000;

/** No buyer whose erasure was requested is readable: in no table, no kept body, and on no queue. */
export async function checkErased({ pool, redis, openKeys }: HostileStage, meant: readonly Meaning[]): Promise<Verdict> {
  await using process = await openKeys();
  const { sealer } = process.keys;
  const erased = new Set(meant.flatMap((one) => (one.kind === 'erased' ? [one.id] : [])));
  const found = new Map<string, string>();
  const note = (where: string) => (id: string) => void (erased.has(id) && found.set(id, where));
  for (const table of await tables(pool)) for (const id of await buyersInTable(pool, table)) note(table)(id);
  for (const text of await keptBuyers(pool, sealer)) buyersIn(text).map(note('the buyer of an order'));
  for await (const text of keptBodies(pool, sealer)) buyersIn(text).map(note('the kept body of a delivery'));
  if (redis !== null) for await (const { where, bytes } of keptInRedis(redis.url)) buyersIn(bytes.toString()).map(note(where));
  const wrong = [...found].map(([id, where]) => `the buyer of order ${id} in ${where}`);
  return { ...noneOf('no erased buyer is readable in database and queue', wrong), figure: `${wrong.length} of ${erased.size} readable` };
}

type Pool = HostileStage['pool'];

async function tables(pool: Pool): Promise<string[]> {
  const text = `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  return (await pool.query<{ name: string }>(text)).rows.map(({ name }) => name);
}

async function buyersInTable(pool: Pool, table: string): Promise<string[]> {
  const text = `select distinct matched.parts[1] as id from ${table} as t, regexp_matches(t::text, $1, 'g') as matched (parts)`;
  return (await pool.query<{ id: string }>(text, [BUYER])).rows.map(({ id }) => id);
}

async function keptBuyers(pool: Pool, sealer: Sealer): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; data: Buffer }>('select order_ref::text as id, data from bridge.customers where data is not null');
  return rows.map(({ id, data }) => JSON.stringify(openBuyer(sealer, Number(id), data)));
}

async function* keptBodies(pool: Pool, sealer: Sealer): AsyncGenerator<string> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const text = `select id, body from (select id, body from bridge.deliveries union all select delivery_id, body from bridge.bodies) kept
      where body is not null and id > $1 order by id limit $2`;
    const { rows } = await pool.query<{ id: string; body: Buffer }>(text, [after, PAGE]);
    for (const row of rows) yield zstdDecompressSync(openBody(sealer, row)).toString();
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const ALL_BUYERS = new RegExp(BUYER, 'g');

function buyersIn(text: string): string[] {
  return [...text.matchAll(ALL_BUYERS)].flatMap(([, id]) => id ?? []);
}
