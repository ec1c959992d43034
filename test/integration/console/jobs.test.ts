import { expect, test } from 'vitest';
import { findTask, insertTask } from '../../../src/bridge/ledger/sync/task-store.ts';
import { reportJobs } from '../../../src/operations/jobs.ts';
import { actsIn } from '../../support/console/acts-in.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const PAGE = '/console/destinations/jobs';

/** A world that runs no job, with jobs that failed. */
async function failed(): Promise<World> {
  const it = await world({ config: { sweepSeconds: 3_000 } });
  await it.bridge.pool.query(
    `insert into jobs (kind, key, due_at, attempts, error) values ('forget-buyer', '1', now() + interval '1 hour', 2, '503 <b>busy</b>'),
      ('forget-buyer', '2', null, 1, 'no way'), ('delivered', '3', now() + interval '1 hour', 0, null),
      ('outstanding', 'shop-1', now() + interval '1 hour', 1, 'no answer'), ('bulk-action', 'b-1', now() + interval '1 hour', 1, 'broken')`,
  );
  return it;
}

test('jobs are counted by kind and state, and one that failed is tried again by who may decide', async () => {
  await using it = await failed();
  const viewer = await signIn(it.bridge, { role: 'accountant' });
  const operator = await signIn(it.bridge, { role: 'operator' });

  expect((await viewer.get(PAGE)).status).toBe(403);
  const { text } = await operator.get(PAGE);
  expect(text).toContain('503 &lt;b&gt;busy&lt;/b&gt;');
  expect(text).toContain('when something changes');
  const { location } = await operator.post(PAGE, { ...formOf(text, PAGE), verb: 'retry' });

  expect((await operator.get(location ?? '')).text).toContain('It is retried now.');
  expect((await reportJobs(it.bridge)).counts).toEqual(
    expect.arrayContaining([
      { kind: 'delivered', state: 'waiting', count: 1, since: expect.any(String) },
      { kind: 'forget-buyer', state: 'blocked', count: 1, since: expect.any(String) },
      { kind: 'forget-buyer', state: 'failing', count: 1, since: expect.any(String) },
    ]),
  );
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ act: 'job.retried', subject: 'forget-buyer 1', after: { count: 1 } }]);
});

test('a job that nobody began has no button to drop it, and a form that says so is refused', async () => {
  await using it = await failed();
  const owner = await signIn(it.bridge, { role: 'owner' });

  const { text } = await owner.get(PAGE);
  const { status } = await owner.post(PAGE, { ...formOf(text, PAGE), verb: 'drop', why: 'it is old' });

  expect(text.match(/value="drop"/g)).toHaveLength(1);
  expect(status).toBe(409);
  expect(await actsIn(it.bridge.pool)).toEqual([]);
});

test('a job that a person began is dropped by who says why, and the audit log has the reason', async () => {
  await using it = await failed();
  const { pool } = it.bridge;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const drop = (why: string) => operator.post(PAGE, { kind: 'bulk-action', key: 'b-1', verb: 'drop', why });

  expect((await operator.get(PAGE)).text).toContain('value="drop"');
  expect((await drop(' ')).status).toBe(422);
  expect((await drop('pressed by mistake')).status).toBe(303);

  expect((await reportJobs({ pool })).failing.map(({ kind }) => kind)).toEqual(['forget-buyer', 'forget-buyer', 'outstanding']);
  expect(await actsIn(pool)).toMatchObject([{ act: 'job.dropped', subject: 'bulk-action b-1', why: 'pressed by mistake' }]);
  expect((await drop('again')).status).toBe(404);
});

test('the task of a dropped job has ended, and the next one of its store can be begun', async () => {
  await using it = await failed();
  const { pool } = it.bridge;
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const operator = await signIn(it.bridge, { role: 'operator' });
  const begin = () =>
    insertTask(pool, { connectionId: connection.id, kind: 'plan', who: 'cli', about: { from: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' } });
  const id = (await begin()) ?? '';

  expect(await begin()).toBeNull();
  expect((await operator.post(PAGE, { kind: 'task', key: id, verb: 'drop', why: 'it never ends' })).status).toBe(303);

  expect(await findTask(pool, { connectionId: connection.id, id })).toMatchObject({ hasEnded: true, problem: { en: 'its background job was dropped' } });
  expect(await begin()).not.toBeNull();
});
