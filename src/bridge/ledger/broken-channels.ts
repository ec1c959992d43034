import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const brokenRows = rowsOf('alert_messages', z.object({ channel: z.string(), failed: z.int(), since: z.string() }));

/** Channels of alerts that gave up a message in the last week and have sent none since; `since`: when the first of those failed (ISO instant). */
export async function brokenChannels(pool: Pool): Promise<z.output<typeof brokenRows.schema>[]> {
  return readRows(pool, brokenRows, {
    text: `select m.channel, count(*) as failed, min(m.failed_at) as since from alert_messages m
      where m.failed_at > now() - interval '7 days' and not exists (select from alert_messages s where s.channel = m.channel and s.sent_at > m.failed_at)
      group by m.channel order by m.channel`,
  });
}
