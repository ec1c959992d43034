import { expect, test } from 'vitest';
import { findTask, insertTask } from '../../../src/bridge/ledger/sync/task-store.ts';
import { taskRun } from '../../../src/operations/tasks/begin-task.ts';
import { BY } from '../../support/samples/by.ts';
import { startHttpServer } from '../../support/servers/raw-server.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a test order whose process stopped is sent again as the same order, signed anew', async () => {
  await using it = await world({ role: 'receiver' });
  const { connections, pool } = { ...it.bridge.app.core };
  const { connection } = await it.bridge.connect();
  const stops = [new AbortController(), new AbortController()];
  await using server = await startHttpServer((response, _seen, count) => {
    response.end();
    stops[count - 1]?.abort();
  });
  const about = { orderId: '1763719200123456', made: '1763719200123456' };
  const id = (await insertTask(pool, { connectionId: connection.id, kind: 'test', who: BY, about })) ?? '';
  await pool.query(`update tasks set at = at - interval '1 hour' where id = $1`, [id]);
  const openReading = () => Promise.reject(new Error('nothing is read'));
  const run = taskRun({ pool, connections, openReading, receiver: async () => server.url });

  for (const [n, { signal }] of stops.entries()) {
    await expect(run([{ id: 1, kind: 'task', key: id, attempts: n + 1, ageMs: 0, error: null, lease: '' }], signal)).rejects.toThrow('nothing came of it');
    expect(await findTask(pool, { connectionId: connection.id, id })).toMatchObject({ hasEnded: false });
  }

  const [first, again] = server.seen;
  expect(JSON.parse(again?.body ?? '')).toMatchObject({ data: { order: { id: about.made } } });
  expect(again?.body).toBe(first?.body);
  expect(Math.abs(Number(again?.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
});
