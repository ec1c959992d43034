import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { reportedCheck } from '../../alerts/alert.ts';

const networkCheck = reportedCheck.extend({ subject: z.string().nullable() });
const rows = rowsOf('network_checks', z.object({ at: z.string(), isNew: z.boolean(), failed: z.array(networkCheck) }));

/** A failed check that only asking over the network can tell. */
export type NetworkCheck = z.output<typeof networkCheck>;

/** Keeps what this machine found, and nothing that is older than a day. */
export async function keepNetworkChecks(pool: Pool, machine: string, failed: readonly NetworkCheck[]): Promise<void> {
  const text = `with old as (delete from network_checks where at < now() - interval '1 day' and machine <> $1)
    insert into network_checks (machine, failed) values ($1, $2) on conflict (machine) do update set failed = excluded.failed, at = now()`;
  await pool.query(text, [machine, JSON.stringify(failed)]);
}

/** What each machine found the last time, the newest first. `at`: an ISO instant; `isNew`: it was at most `minutes` ago. */
export function keptNetworkChecks(pool: Pool, minutes: number): Promise<z.output<typeof rows.schema>[]> {
  const text = `select ${isoText('at')} as at, at > now() - $1 * interval '1 minute' as "isNew", failed from network_checks
    order by network_checks.at desc, machine`;
  return readRows(pool, rows, { text, values: [minutes] });
}
