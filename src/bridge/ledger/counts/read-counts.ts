import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

const count = z.int();
const countRows = rowsOf(
  'counts',
  z.object({
    ...{ subject: z.string(), at: z.string() },
    ...{ received: count, recorded: count, asked: count, accepted: count, refused: count, sold: count, requests: count, failed: count },
    ...{ p50Ms: count.nullable(), p95Ms: count.nullable() },
    sums: z.array(z.object({ currency: z.string(), total: z.string() })),
  }),
);

/** What happened of a connection, a destination, or ('') all connections in an hour or a day that began `at` (ISO instant). */
export type Counts = z.output<typeof countRows.schema>;

type CountsWanted = { span: 'hour' | 'day'; at: readonly string[]; subjects: readonly string[] };

const acceptedRows = rowsOf('counts', z.object({ connectionId: z.string(), places: z.array(count), accepted: z.array(count) }));

/** How many webhooks were accepted of each connection on these days (ISO instants of their beginnings), by their places in the list; those with none are absent. */
export async function webhooksByDay(pool: Pool, days: readonly string[]): Promise<Map<string, Map<number, number>>> {
  const rows = await readRows(pool, acceptedRows, {
    text: `select subject as "connectionId", array_agg(array_position($1::timestamptz[], at) - 1) as places, array_agg(accepted) as accepted
      from counts where span = 'day' and at = any($1) and accepted > 0 and subject <> '' group by 1`,
    values: [days],
  });
  return new Map(rows.map(({ connectionId, places, accepted }) => [connectionId, new Map(places.map((place, i) => [place, accepted[i] ?? 0]))]));
}

const sumRows = rowsOf('counts', z.object({ subject: z.string(), recorded: count, asked: count, requests: count, failed: count }));

/** All days (ISO instants of their beginnings) together, of each subject. */
export type CountSums = z.output<typeof sumRows.schema>;

export function sumCounts(pool: Pool, days: readonly string[], subjects: readonly string[]): Promise<CountSums[]> {
  return readRows(pool, sumRows, {
    text: `select subject, sum(recorded)::int as recorded, sum(asked)::int as asked, sum(requests)::int as requests, sum(failed)::int as failed
      from counts where span = 'day' and at = any($1::timestamptz[]) and subject = any($2) group by 1`,
    values: [days, subjects],
  });
}

const keptRows = rowsOf('counts', z.object({ connectionId: z.string(), name: z.string(), bytes: z.number(), most: z.number() }));

/** `bytes`: of bodies that were kept, at most `each` of a day; `most`: that came on one day. */
type KeptOf = z.output<typeof keptRows.schema>;

/** Whose bodies were kept since an instant, the most first. */
export function keptOfStores(pool: Pool, { since, each }: { since: Date; each: number }): Promise<KeptOf[]> {
  return readRows(pool, keptRows, {
    text: `select k.subject as "connectionId", c.name, sum(least(k.kept, $2))::float8 as bytes, max(k.kept)::float8 as most from counts k
      join connections c on c.id = k.subject where k.span = 'day' and k.at >= $1 and k.kept > 0 group by 1, 2 order by 3 desc, 1 limit 1000`,
    values: [since, each],
  });
}

/** Where nothing happened there is no row. */
export function readCounts(pool: Pool, { span, at, subjects }: CountsWanted): Promise<Counts[]> {
  return readRows(pool, countRows, {
    text: `select subject, at, received, recorded, asked, accepted, refused, sold, requests, failed, p50_ms as "p50Ms", p95_ms as "p95Ms",
        coalesce((select jsonb_agg(jsonb_build_object('currency', key, 'total', value) order by key) from jsonb_each_text(sums)), '[]') as sums
      from counts where span = $1 and at = any($2::timestamptz[]) and subject = any($3) order by at, subject`,
    values: [span, at, subjects],
  });
}
