import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const brokenRows = rowsOf('alert_messages', z.object({ channel: z.string(), failed: z.int(), since: z.string() }));

/** The tries of the first quarter of an hour. */
const RETRIED = 4;

/**
 * Channels of alerts that gave up a message in the last week, or have been trying one for a quarter of an hour, and took none since. `failed`: how
 * many; `since`: when the first of them failed (ISO instant).
 */
export async function brokenChannels(pool: Pool): Promise<z.output<typeof brokenRows.schema>[]> {
  return readRows(pool, brokenRows, {
    text: `select m.channel, count(*) as failed, min(m.at) as since from (
        select channel, coalesce(failed_at, created_at) as at from alert_messages
        where failed_at > now() - interval '7 days' or (next_at is not null and attempts >= ${RETRIED})) m
      where not exists (select from alert_messages s where s.channel = m.channel and s.sent_at > m.at)
      group by m.channel order by m.channel`,
  });
}
