import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Throttled } from '../intake/throttled-counts.ts';
import { jsonText } from './json-text.ts';

/** Adds to the counts of deliveries that were answered 429. */
export async function addThrottled(pool: Pool, counts: readonly Throttled[]): Promise<void> {
  await pool.query(
    `update connections c set throttled = c.throttled + t.count, throttled_at = greatest(c.throttled_at, t.at)
      from jsonb_to_recordset($1) as t("connectionId" text, count bigint, at timestamptz) where c.id = t."connectionId"`,
    [jsonText(counts)],
  );
}
