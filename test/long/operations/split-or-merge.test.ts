import { describe, expect, test } from 'vitest';
import { listWaiting } from '../../../src/operations/orders/list-review.ts';
import { mustReview, releaseOrder } from '../../../src/operations/orders/release-orders.ts';
import { mergeOrder, splitOrder } from '../../../src/operations/orders/split-or-merge.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { BY } from '../../support/samples/by.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { cap, coat, kept, names, store } from '../../support/worlds/two-of-one-id.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const worlds = useWorlds();
const SAID = { by: BY, why: 'looked at both' };
const TOLD = { act: 'order.split-or-merged', who: BY, why: 'looked at both' };
const world = () => worlds({ role: 'receiver' });

/** The operations’ dependencies, and the orders that they woke. */
function depsOf({ pool }: Bridge) {
  const notified: number[] = [];
  return { pool, notified, notify: (orders: readonly { id: number }[]) => void notified.push(...orders.map(({ id }) => id)) };
}

describe('an order that came under the id of another one', () => {
  test.each(['700', '700~2', 'id:1', 'id:2'])('is named by %s, of either', async (named) => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat());
    await record(cap());
    const deps = depsOf(it.bridge);

    expect(await splitOrder(deps, named, SAID)).toEqual({ orderId: '700~2' });
    expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
      { ...TOLD, orderRef: 2, before: { code: 'order.other' }, after: { is: 'other', orderId: '700~2' } },
    ]);

    expect([await names(it.bridge), deps.notified]).toEqual([['700 queued', '700~2 queued'], [2]]);
    await expect(splitOrder(deps, named)).rejects.toMatchObject({ kind: 'conflict', what: `nobody is asked whether ${named} is another order` });
  });

  test('that is the first one wakes that one', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat());
    await record(cap());
    const deps = depsOf(it.bridge);

    expect(await mergeOrder(deps, '700', SAID)).toEqual({ orderId: '700' });
    expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
      { ...TOLD, orderRef: 1, before: { id: 2, orderId: '700~2' }, after: { is: 'same', orderId: '700' } },
    ]);

    expect([await names(it.bridge), deps.notified]).toEqual([['700 queued'], [1]]);
  });

  test('is listed with the two commands that decide it', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat());
    await record(cap());

    const { orders } = await listWaiting(it.bridge);

    expect(orders).toMatchObject([
      { orderId: '700~2', review: { code: 'order.other' }, todo: expect.stringMatching(/release id:2 --other.*release id:2 --same/) },
    ]);
  });

  test('is not released without a word on what it is, nor together with others', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat());
    await record(cap());

    await expect(releaseOrder(depsOf(it.bridge), '700~2', { by: 'cli:test@here' })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('id:2 --same'),
    });
    expect(() => mustReview('order.other')).toThrow('decided one by one');
  });

  test('is named by itself where several wait', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap(), cap({ createdAt: '2026-09-01T10:00:00Z', lines: [] }));
    const deps = depsOf(it.bridge);
    const choices = { header: ['id', 'connection', 'order'], rows: ['2', '3'].map((id) => [`id:${id}`, connectionId, `700~${id}`]) };

    for (const tell of [splitOrder, mergeOrder]) await expect(tell(deps, '700')).rejects.toMatchObject({ kind: 'conflict', choices });

    expect(await splitOrder(deps, '700~3')).toMatchObject({ orderId: '700~3' });
    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other', '700~3 queued']);
  });
});

describe('an order whose id is taken at the compliance service', () => {
  async function conflicting({ bridge }: { bridge: Bridge }, values: string): Promise<void> {
    const { record } = await store(bridge);
    await record(coat());
    await bridge.pool.query(`update orders set state = 'review', review_code = 'compliance.conflict', review_revision = revision, ${values}`);
  }

  test('is another sale, but never the same one: there is no other here', async () => {
    await using it = await world();
    await conflicting(it, 'attempts = 1');
    const deps = depsOf(it.bridge);

    await expect(mergeOrder(deps, '700')).rejects.toMatchObject({ kind: 'conflict', what: 'nobody is asked whether 700 is another order' });
    expect(await splitOrder(deps, '700', SAID)).toEqual({ orderId: '700~2' });
    expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
      { ...TOLD, before: { code: 'compliance.conflict', orderId: '700' }, after: { is: 'other', orderId: '700~2' } },
    ]);
    expect(await names(it.bridge)).toEqual(['700~2 queued']);
  });

  test('is advised to leave another order’s record where it is', async () => {
    await using it = await world();
    await conflicting(it, 'attempts = 1');

    const [waiting] = (await listWaiting(it.bridge)).orders;

    expect(waiting?.todo).toMatch(/Another order’s: leave it, and `orderbridge release id:1 --other`/);
  });

  test('keeps its id while an earlier record of it is to be put back', async () => {
    await using it = await world();
    await conflicting(it, `previous = '{}'`);

    await expect(splitOrder(depsOf(it.bridge), '700')).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('keeps its id') });
  });
});

test('an order that nobody is asked about, or that is not known, is refused', async () => {
  await using it = await world();
  const { record, connectionId } = await store(it.bridge);
  await record(coat());
  const { id } = await kept(it.bridge, connectionId, '700');

  await expect(splitOrder(depsOf(it.bridge), `id:${id}`)).rejects.toMatchObject({ kind: 'conflict' });
  await expect(mergeOrder(depsOf(it.bridge), '9')).rejects.toMatchObject({
    kind: 'missing',
    what: expect.stringMatching(/^no webhook of an order 9 has come/),
  });
});
