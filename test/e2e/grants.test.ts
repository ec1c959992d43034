import { afterAll, beforeAll, expect, test } from 'vitest';
import { READINGS } from '../support/grants/grant-endpoint.ts';
import { refreshAtOnce } from '../support/grants/refresh-at-once.ts';
import { drawn, runs, SEED } from '../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
});

// What the documentation leaves open must make no difference.
test.each(drawn(READINGS))(
  `two processes refresh a grant at once and are killed: it is never lost (a repeated refresh gives $repeated, used by $usedBy; seed ${SEED})`,
  async (reading) => {
    const became = await refreshAtOnce({ databaseUrl: await postgres.createDatabase('bridge'), count: runs(6, 100), seed: SEED, reading });

    expect(became).toMatchObject({ alive: true, ended: [], defects: [], twice: 0 });
    expect(became.called).toBeGreaterThan(0);
  },
);
