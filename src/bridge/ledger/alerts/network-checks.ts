import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { reportedCheck } from '../../alerts/alert.ts';

const networkCheck = reportedCheck.extend({ subject: z.string().nullable() });
const rows = rowsOf('network_checks', z.object({ at: z.string(), failed: z.array(networkCheck) }));

/** A failed check that only asking over the network can tell. */
export type NetworkCheck = z.output<typeof networkCheck>;

export async function keepNetworkChecks(pool: Pool, failed: readonly NetworkCheck[]): Promise<void> {
  const text = 'insert into network_checks (failed) values ($1) on conflict (one) do update set failed = excluded.failed, at = now()';
  await pool.query(text, [JSON.stringify(failed)]);
}

/** Those of the last time, `at` (ISO instant), if that is at most `minutes` ago; else nothing is known. */
export async function keptNetworkChecks(pool: Pool, minutes: number): Promise<{ at: string; failed: NetworkCheck[] } | undefined> {
  const text = `select ${isoText('at')} as at, failed from network_checks where at > now() - $1 * interval '1 minute'`;
  return (await readRows(pool, rows, { text, values: [minutes] }))[0];
}
