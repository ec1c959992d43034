import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SEED } from '../support/run-size.ts';
import { nginx } from '../support/servers/balancer.ts';
import { NO_PGBOUNCER, pgBouncer } from '../support/servers/pgbouncer.ts';
import { runThreeMachines } from '../support/three-machines/run-three-machines.ts';

// The whole of it is `npm run three-machines`.
test(`three machines lose the master of Redis and the primary of PostgreSQL, and are upgraded, at 20 webhooks a second (seed ${SEED})`, {
  timeout: 900_000,
}, async (context) => {
  if (!existsSync(nginx.program)) return context.skip(`there is no ${nginx.program}`);
  if ((await pgBouncer()) === null) return context.skip(NO_PGBOUNCER);

  const { verdicts } = await runThreeMachines({ seconds: 60, rate: 20, seed: SEED, isWhole: false, say: () => undefined });

  expect(verdicts.filter(({ held }) => !held)).toEqual([]);
});
