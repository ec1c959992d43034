import { expect, test } from 'vitest';
import type { Store, StorePause } from '../../../../src/bridge/delivery/store-calls.ts';
import { callStoreAgain, storePauses } from '../../../../src/bridge/ledger/sync/store-calls.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import { NotCalled } from '../../../../src/bridge/storefronts/store-failure.ts';
import { always } from '../../../support/attempts/stores-at-hand.ts';
import { type Answer, get, heldAnswer, ok, useCalledStores } from '../../../support/worlds/called-stores.ts';

const stores = useCalledStores();

async function pauseMs({ host }: Store): Promise<number> {
  const [pause] = (await storePauses(stores.pool())).filter((one) => one.host === host);
  return pause === undefined ? 0 : Date.parse(pause.until) - Date.now();
}

test.each<[string, Answer]>([
  ['gives no answer', 'none'],
  ['answers 503', { status: 503, body: null }],
  ['answers 429', { status: 429, body: null }],
  ['takes the calls for an attack', { status: 430, body: null }],
])('a store that %s is paused, longer each time, until a call succeeds', async (_what, answer) => {
  const store = await stores.newStore();
  const lengths: number[] = [];
  for (let failures = 1; failures <= 9; failures += 1) {
    expect(
      await get(
        stores.calls(() => answer),
        store,
      ),
    ).toMatchObject({ kind: 'failed', pause: { failures, code: 'storefront.unreachable', connectionId: null } });
    lengths.push(Math.round((await pauseMs(store)) / 1000));
    expect(await get(stores.calls(), store)).toMatchObject({ kind: 'paused', pause: { failures } });
    await stores.endPause(store);
  }
  expect(lengths).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);

  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
  expect(
    await get(
      stores.calls(() => answer),
      store,
    ),
  ).toMatchObject({ kind: 'failed', pause: { failures: 1 } });
});

test('that a store was not called pauses nothing', async () => {
  const store = await stores.newStore();
  const notAsked = () => Promise.reject(new NotCalled('another process makes its token'));

  expect(await stores.calls().call(store, notAsked, always)).toMatchObject({ kind: 'failed', pause: null });
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

test('a store that says how long to wait is not called before', async () => {
  const store = await stores.newStore();

  await get(
    stores.calls(() => ({ status: 429, body: null, retryAfterMs: 90_000 })),
    store,
  );

  expect((await pauseMs(store)) / 1000).toBeGreaterThan(80);
});

test('after a pause one call at a time shows whether the store works again', async () => {
  const store = await stores.newStore();
  await get(
    stores.calls(() => 'none'),
    store,
  );
  await stores.endPause(store);
  const { answer, begun, resolve } = heldAnswer();
  const first = get(stores.calls(answer), store);
  await begun;

  expect(await get(stores.calls(), store)).toEqual({ kind: 'full' });
  resolve(ok);
  await first;
  expect(await stores.ledger().take(store, 1_000)).toMatchObject({ failures: 0 });
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

test('a call that was under way when the pause began does not make it longer', async () => {
  const store = await stores.newStore();
  const { answer, begun, resolve } = heldAnswer();
  const late = get(stores.calls(answer), store);
  await begun;
  await get(
    stores.calls(() => 'none'),
    store,
  );
  resolve('none');

  expect(await late).toMatchObject({ kind: 'failed', pause: { failures: 1 } });
});

test('a refused key pauses the calls with this key alone, and shows that the store works', async () => {
  const store = await stores.newStore();
  const other = await stores.newStore(store.host);
  await get(
    stores.calls(() => 'none'),
    store,
  );
  await stores.endPause(store);
  const seen: StorePause[] = [];

  expect(
    await get(
      stores.calls(
        () => ({ status: 403, body: null }),
        (pause) => seen.push(pause),
      ),
      store,
    ),
  ).toMatchObject({
    kind: 'failed',
    pause: { code: 'storefront.refused', connectionId: store.connectionId, failures: 1 },
  });

  expect(seen).toMatchObject([{ host: store.host, connectionId: store.connectionId }]);
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'paused' });
  expect(await get(stores.calls(), other)).toMatchObject({ kind: 'read' });
});

test('an answer that can’t be used is a failure of its order alone', async () => {
  const store = await stores.newStore();

  expect(
    await get(
      stores.calls(() => ({ status: 404, body: null })),
      store,
    ),
  ).toMatchObject({ kind: 'failed', pause: null });
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

test('what is no failure of the store pauses nothing: a bug, and the end of this process', async () => {
  const store = await stores.newStore();
  const bug = () => Promise.reject(new Error('a bug'));
  await expect(stores.calls().call(store, bug, always)).rejects.toThrow('a bug');
  const stopping = new AbortController();
  const cut = get(
    stores.calls(() => {
      stopping.abort();
      return 'none';
    }),
    store,
    stopping.signal,
  );

  await expect(cut).rejects.toThrow('no answer');
  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

test('a person who gives the store another key or address has it called at once', async () => {
  const store = await stores.newStore();
  await get(
    stores.calls(() => 'none'),
    store,
  );
  await callStoreAgain(stores.pool(), store);

  expect(await get(stores.calls(), store)).toMatchObject({ kind: 'read' });
});

test('a pause whose store nobody called for an hour is over, and forgotten', async () => {
  const store = await stores.newStore();
  for (let i = 0; i < 2; i += 1) {
    await get(
      stores.calls(() => 'none'),
      store,
    );
    await stores.endPause(store);
  }
  await stores.pool().query(`update store_calls set since = now() - interval '2 hours', until = now() - interval '61 minutes' where host = $1`, [store.host]);

  expect((await storePauses(stores.pool())).filter(({ host }) => host === store.host)).toEqual([]);
  const end = await get(
    stores.calls(() => 'none'),
    store,
  );
  expect(end).toMatchObject({ kind: 'failed', pause: { failures: 1 } });
  expect(Date.now() - Date.parse(end.kind === 'failed' ? (end.pause?.since ?? '') : '')).toBeLessThan(60_000);
});

test('finding 11: a connection whose keys would go in the clear pauses itself alone; another one of the same host is called', async () => {
  const careless = await stores.newStore();
  const careful = await stores.newStore(careless.host);
  const refused = stores.calls(() => {
    throw new Failure('storefront.refused', 'called over http://');
  });

  expect(await get(refused, careless)).toMatchObject({ kind: 'failed', pause: { code: 'storefront.refused', connectionId: careless.connectionId } });
  expect(await stores.ledger().pauseOf(careless)).toMatchObject({ detail: 'called over http://' });
  expect(await get(stores.calls(), careful)).toEqual({ kind: 'read', value: 'read' });
});
