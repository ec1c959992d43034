import { type Pool, ping } from '../../platform/postgres/postgres.ts';
import { withTimeout } from '../../platform/with-timeout.ts';

const PING_MS = 1_000;

/** Whether the database does not answer now: what failed meanwhile is no fault of the code, and is reported once, as `readiness`. */
export async function isAway(pool: Pool): Promise<boolean> {
  return withTimeout(PING_MS, ping(pool)).then(
    () => false,
    () => true,
  );
}
