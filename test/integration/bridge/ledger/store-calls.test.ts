import { expect, test } from 'vitest';
import type { CallEnd } from '../../../../src/bridge/delivery/store-calls.ts';
import { type Answer, get, ok, useCalledStores } from '../../../support/worlds/called-stores.ts';

const stores = useCalledStores();

test('two calls at a time are made to a store, over all processes and connections; to another one meanwhile, too', async () => {
  const store = await stores.newStore();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let running = 0;
  const hold = () => {
    running += 1;
    return promise;
  };
  const processes = [stores.calls(hold), stores.calls(hold), stores.calls(hold)];

  const ends = Array.from({ length: 12 }, async (_, i) =>
    get(processes[i % 3] ?? stores.calls(), { ...store, connectionId: i % 2 === 0 ? store.connectionId : 'c_of-another' }),
  );
  const full = (await Promise.race([Promise.all(ends), settled(ends, 10)])) as CallEnd<string>[];
  expect(full.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'full'));
  expect(running).toBe(2);
  expect(await get(stores.calls(), await stores.newStore())).toMatchObject({ kind: 'read' });

  resolve(ok);
  await Promise.all(ends);
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

/** The first so many that end. */
function settled<T>(all: Promise<T>[], count: number): Promise<T[]> {
  const ended: T[] = [];
  return new Promise((resolve, reject) => {
    for (const one of all) {
      one.then((end) => {
        ended.push(end);
        if (ended.length === count) resolve([...ended]);
      }, reject);
    }
  });
}

test('the place of a process that died is free again when its time is over', async () => {
  const store = await stores.newStore();
  const ledger = stores.ledger();
  await ledger.take(store, 60_000);
  const dead = await ledger.take(store, 60_000);
  expect(await get(stores.calls(), store)).toEqual({ kind: 'full' });

  await stores.pool().query('update store_slots set lease_until = now() where host = $1', [store.host]);

  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
  const taken = await ledger.take(store, 60_000);
  if (dead === 'full' || taken === 'full') throw new Error('there should be a slot');
  // Its late release frees no place of others.
  await ledger.release({ ...dead, slot: taken.slot });
  await ledger.take(store, 60_000);
  expect(await get(stores.calls(), store)).toEqual({ kind: 'full' });
});
