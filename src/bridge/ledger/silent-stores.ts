import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { READ_TOPIC } from '../reconciliation/read-page.ts';

/** So many parts of six hours of a store's history are looked at: four weeks. */
const PARTS = 112;
const HISTORY_DAYS = 7;
/** Those that fell silent last. */
const MOST = 100;

const silentRows = rowsOf('deliveries', z.object({ connectionId: z.string(), last: z.string(), longestHours: z.number() }));

/** A store whose last webhook came at `last` (ISO instant), and how long it had been quiet at the longest before that. */
export type QuietStore = z.output<typeof silentRows.schema>;

/**
 * Live connections without a webhook for more than a day, that had webhooks for a week before. Four probes of an index per day of their history; a
 * store that is always quiet for days has gaps to show it.
 */
export async function quietStores(pool: Pool): Promise<QuietStore[]> {
  return readRows(pool, silentRows, {
    text: `with quiet as (
        select c.id, t.accepted_at as last from connections c join traffic t on t.connection_id = c.id
        where c.closed_at is null and t.accepted_at < now() - interval '1 day' order by t.accepted_at desc limit ${MOST}),
      known as (
        select q.id, q.last, greatest(first.at, q.last - ${PARTS} * interval '6 hours') as begins from quiet q cross join lateral (
          select arrived_at as at from deliveries d where d.connection_id = q.id and d.topic <> $1 order by d.arrived_at limit 1) first
        where first.at <= q.last - ${HISTORY_DAYS} * interval '1 day'),
      parts as (
        select k.id, n, exists (select from deliveries d where d.connection_id = k.id and d.topic <> $1
          and d.arrived_at > k.last - (n + 1) * interval '6 hours' and d.arrived_at <= k.last - n * interval '6 hours') as busy
        from known k cross join generate_series(0, ${PARTS - 1}) n where k.last - n * interval '6 hours' > k.begins),
      gaps as (select id, n - coalesce(lag(n) over (partition by id order by n), -1) as parts from parts where busy)
    select k.id as "connectionId", k.last, coalesce(max(g.parts), 1) * 6.0::float8 as "longestHours" from known k left join gaps g on g.id = k.id
    group by k.id, k.last`,
    values: [READ_TOPIC],
  });
}
