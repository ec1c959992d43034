import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../src/platform/postgres/embedded-postgres.ts';
import { longTest } from '../support/long-test.ts';
import { runs } from '../support/run-size.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { OrderRush } from '../support/worlds/order-rush.ts';
import { until } from '../support/worlds/settled.ts';

const MANY = runs(200, 2_000);
const FEW = runs(200, 1_000);

// As in production: what is committed is on disk, even if the database is killed.
async function startDurable() {
  await using setup = new AsyncDisposableStack();
  const { path } = setup.use(await scratchDir());
  const { url } = setup.use(await joinEmbeddedPostgres({ dataDir: path, log: createLog({ level: 'silent', name: 'test' }) }));
  const owned = setup.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function consecutive(count: number): string[] {
  return Array.from({ length: count }, (_, n) => String(n + 1).padStart(10, '0'));
}

async function expectOneNumberEach(rush: OrderRush, created: Awaited<ReturnType<OrderRush['create']>>['created']): Promise<void> {
  const stored = await rush.stored();
  expect(stored.map(({ documentNumber }) => documentNumber)).toEqual(consecutive(created.length));
  // The answers to callers are what is recorded, so that no order is recorded twice and none got the number of another.
  expect(stored).toEqual(created.toSorted((a, b) => Number(a.documentNumber) - Number(b.documentNumber)));
}

describe('document numbers of one merchant, given by two processes', () => {
  test(`are consecutive when ${MANY} orders come at once`, async () => {
    await using postgres = await startPostgres('whole');
    await using rush = await OrderRush.start(postgres.url);

    const { created, wrong } = await rush.create(MANY);

    expect(wrong).toEqual([]);
    await expectOneNumberEach(rush, created);
  });

  longTest('have no gap when one of them is killed in the middle and its callers turn to the other', async () => {
    await using postgres = await startPostgres('whole');
    await using rush = await OrderRush.start(postgres.url);

    const creating = rush.create(MANY);
    await until(() => rush.answered > MANY / 4, { what: 'a quarter of the orders to be created', everyMs: 5 });
    await rush.programs[0].kill();
    const { created, failures } = await creating;

    expect(failures).toBeGreaterThan(0);
    await expectOneNumberEach(rush, created);
  });

  longTest('have no gap when the database is killed while it records a group', async () => {
    await using postgres = await startDurable();
    await using rush = await OrderRush.start(postgres.url);

    await rush.holdUp(`rush-${FEW - 100}`);
    const creating = rush.create(FEW);
    await rush.killDatabase();
    const { created, failures } = await creating;

    expect(failures).toBeGreaterThan(0);
    await expectOneNumberEach(rush, created);
  });
});
