import { Jobs } from '../../../src/platform/jobs/run-jobs.ts';
import { createPool, type Statement, sealBy } from '../../../src/platform/postgres/postgres.ts';
import { killedKind, SEALING } from './real-kinds.ts';

// Runs jobs in a process that kills itself at a place: 2n is before its statement n, 2n+1 when its reply is there. Its clock is `CLOCK_MS` ahead.
const { DATABASE_URL: url = '', KIND: kind = '', KILL_AT: killAt = 'never', LEASE_MS: leaseMs = '', CLOCK_MS: clockMs = '0' } = process.env;
const clock = Date.now;
Date.now = () => clock() + Number(clockMs);

const pool = createPool({ url, schema: 'bridge', max: 4, onError: () => undefined });
let place = 0;

function dieHere(): Promise<void> | undefined {
  if (String(place++) !== killAt) return undefined;
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

const killed = {
  connect: () => pool.connect(),
  end: () => pool.end(),
  async query(statement: string | Statement, values?: unknown[]) {
    await dieHere();
    const result = await pool.query(statement, values);
    await dieHere();
    return result;
  },
};
sealBy(killed, SEALING);

new Jobs({
  pool: killed,
  everyMs: 20,
  random: Math.random,
  onFailed: (_, err) => {
    throw err;
  },
}).start([killedKind(kind, killed, { leaseMs: Number(leaseMs) })]);
// The timers of jobs keep no process alive.
setInterval(() => undefined, 1_000);
