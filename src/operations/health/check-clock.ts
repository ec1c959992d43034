import { inspectDatabase } from '../../bridge/ledger/inspect-database.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { NIL_UUID } from './check-compliance.ts';
import type { CheckFinding } from './check-finding.ts';

const ANSWER_MS = 5_000;
const MOST_SKEW_MS = 60_000;

/** Compares our clock with the database and the compliance API, if that gives its time; signatures with a time are valid for 5 minutes. */
export async function checkClock({ pool, config: { compliance } }: { pool: Pool; config: Config }): Promise<CheckFinding[]> {
  const ofDatabase = clockFinding('the database', await skew(async () => (await inspectDatabase(pool)).now));
  if (compliance.kind === 'embedded') return [ofDatabase];
  return [ofDatabase, clockFinding('the compliance API', await skew(() => dateOf(compliance.baseUrl)))];
}

/** The time in the answer to the same harmless request, without a key: only its Date is read. */
async function dateOf(address: string): Promise<string | null> {
  try {
    const { headers } = await fetch(`${address}/public-api/v1/order/${NIL_UUID}`, {
      method: 'DELETE',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return headers.get('date');
  } catch {
    // Its own check reports that it can't be reached.
    return null;
  }
}

/** Milliseconds that we are ahead; null if the other gives no time. */
async function skew(readDate: () => Promise<string | null>): Promise<number | null> {
  const began = Date.now();
  const date = await readDate();
  return date === null ? null : (began + Date.now()) / 2 - Date.parse(date);
}

function clockFinding(whose: string, ahead: number | null): CheckFinding {
  const what = 'clock';
  if (ahead === null || Number.isNaN(ahead)) return { what, verdict: 'remark', words: `${whose} does not give its time` };
  const seconds = Math.round(Math.abs(ahead) / 1000);
  if (Math.abs(ahead) <= MOST_SKEW_MS) return { what, verdict: 'ok', words: `${seconds} s off the clock of ${whose}` };
  return { what, verdict: 'wrong', words: `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of ${whose}: synchronize this machine's clock (NTP)` };
}
