import { expect, test } from 'vitest';
import { beginWatches, type WatchDueDeps, watchOne } from '../../../../src/bridge/reconciliation/watch-due.ts';
import type { WatchResult } from '../../../../src/bridge/reconciliation/watch-subscriptions.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { claimJobs, settleJobs } from '../../../../src/platform/jobs/job-store.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';
import { WatchedStore } from '../../../support/worlds/watched-store.ts';

const world = useCalledStores();
const { signal } = new AbortController();

/** What one process looks after, with the webhooks of this store in place of every store's. */
function process(store: WatchedStore) {
  const seen: WatchResult[] = [];
  const failed: unknown[] = [];
  const api = { words: '', credentials: {}, complete: () => Promise.reject(new Error('no order is read')), subscriptions: store.subscriptions() };
  const deps: WatchDueDeps = {
    ...store.deps,
    storefronts: { standard: { ...storefronts.standard, topics: ['paid'], alsoTopics: [], api } },
    connection: (id) => store.connections.find(id),
    onWatched: (id, watched) => {
      if (id === store.connection.id) seen.push(watched);
    },
    onFailed: (_id, err) => failed.push(err),
  };
  const run = async () => {
    await beginWatches(deps);
    const done = await claimJobs(world.pool(), 'webhooks', { size: 10, leaseMs: 60_000 });
    for (const job of done) await watchOne(deps, job, signal).catch(() => undefined);
    await settleJobs(world.pool(), { done, left: [] });
  };
  return { run, seen, failed };
}

const elapse = (store: WatchedStore, column: 'created_at' | 'next_at') =>
  column === 'created_at'
    ? world.pool().query(`update connections set created_at = now() - interval '1 hour' where id = $1`, [store.connection.id])
    : world.pool().query(`update jobs set due_at = now() where kind = 'webhooks' and key = $1`, [store.connection.id]);

test('a store is looked after when an hour has passed since it was connected, then each hour, by one of several processes', async () => {
  const store = await WatchedStore.connect(world.pool());
  const one = process(store);
  const other = process(store);

  await elapse(store, 'created_at');
  await Promise.all([one.run(), other.run()]);
  const first = [...one.seen, ...other.seen];
  await one.run();
  const soon = [...one.seen, ...other.seen].length;
  await elapse(store, 'next_at');
  await one.run();

  expect(first).toMatchObject([{ kind: 'watched', repaired: ['paid'] }]);
  expect(soon).toBe(1);
  expect([...one.seen, ...other.seen]).toMatchObject([{ repaired: ['paid'] }, { repaired: [], problems: [] }]);
  expect([one.failed, other.failed]).toEqual([[], []]);
});

test('a new store is left to the person who sets it up, and a disconnected one is left alone', async () => {
  const fresh = await WatchedStore.connect(world.pool());
  const closed = await WatchedStore.connect(world.pool());
  await elapse(closed, 'created_at');
  await closed.connections.close(closed.connection.id);

  const [ofFresh, ofClosed] = [process(fresh), process(closed)];
  await ofFresh.run();
  await ofClosed.run();

  expect([ofFresh.seen, ofClosed.seen]).toEqual([[], []]);
});

test('a defect at one store is reported, and the store is looked at again later', async () => {
  const store = await WatchedStore.connect(world.pool());
  await elapse(store, 'created_at');
  store.onStep = () => {
    throw new Error('a defect');
  };
  const broken = process(store);
  await broken.run();
  store.onStep = () => undefined;
  await store.letGo();
  await elapse(store, 'next_at');
  const next = process(store);
  await next.run();

  expect(broken.failed).toEqual([new Error('a defect')]);
  expect(next.seen).toMatchObject([{ repaired: ['paid'], problems: [] }]);
});
