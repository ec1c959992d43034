import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createConnectionStore } from '../../../../src/bridge/ledger/connections/connection-store.ts';
import { storeKeysMark } from '../../../../src/bridge/ledger/connections/store-tokens.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';
import { keptTokens, never, pair, slowly } from '../../../support/worlds/kept-tokens.ts';

const stores = useCalledStores();
const { newConnection } = keptTokens(stores);

describe('of a connection that is closed', () => {
  const stored = async (id: string) => {
    const row = rowsOf('store_tokens', z.object({ count: z.int() }));
    return (await readOne(stores.pool(), row, { text: 'select count(*)::int as count from store_tokens where connection_id = $1', values: [id] })).count;
  };
  const close = (id: string) => createConnectionStore(stores.pool(), sealer(Buffer.alloc(32, 7))).close(id);

  test('no token is kept, nor one that is being made as it is closed; anyone who makes it is told of that alone', async () => {
    const { id, process } = await newConnection();
    await process().keep(pair(0));
    const [renewing, refused] = [slowly(), slowly()];
    const first = process().token(renewing.make, 'shpat_0');
    await renewing.begun;
    await close(id);
    renewing.made.resolve(pair(1));

    await expect(first).rejects.toThrow('storefront.unreachable: the store was disconnected');
    expect(await stored(id)).toBe(0);
    await expect(process().token(refused.make, 'shpat_0')).rejects.toThrow('storefront.unreachable: the store was disconnected');
    expect(await stored(id)).toBe(0);
  });

  test('a refusal that comes as it is closed is not told as one of the store', async () => {
    const { id, process } = await newConnection();
    await process().keep(pair(0));
    const { make, begun, made } = slowly();
    const renewing = process().token(make, 'shpat_0');
    await begun;
    await close(id);
    made.reject(new Failure('storefront.refused', 'the grant is over'));

    await expect(renewing).rejects.toThrow('storefront.unreachable: the store was disconnected');
  });

  test('what keys can make anew lives for its calls, and a grant is not taken', async () => {
    const { id, made, make, process } = await newConnection();
    await process().token(make());
    await close(id);
    const calls = process();

    expect(await calls.token(make())).toBe('made 2');
    expect(await calls.token(make())).toBe('made 2');
    expect(await process().token(make())).toBe('made 3');
    expect(made).toEqual([null, null, null]);
    expect(await process().keep(pair(1))).toBe(false);
    expect(await stored(id)).toBe(0);
  });

  test('many that grant, renew and close at once leave none', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, process } = await newConnection();
      await process().keep(pair(0));
      await Promise.allSettled([
        process().token(async () => pair(1), 'shpat_0'),
        close(id),
        process().keep(pair(2)),
        process().token(async () => pair(3), 'shpat_0'),
      ]);
      expect(await stored(id)).toBe(0);
    }
  });

  test('one that was read with other keys stays open', async () => {
    const { id, process } = await newConnection();
    const connections = createConnectionStore(stores.pool(), sealer(Buffer.alloc(32, 7)));
    await process().keep(pair(0));
    const mark = (await storeKeysMark(stores.pool(), id)) ?? '';
    await process().keep(pair(1));

    expect(await connections.closeIfStill(id, mark)).toBe(false);
    expect(await process().token(never)).toBe('shpat_1');
    expect(await connections.closeIfStill(id, (await storeKeysMark(stores.pool(), id)) ?? '')).toBe(true);
    expect([(await connections.find(id))?.closedAt, await stored(id)]).toEqual([expect.any(String), 0]);
    expect(await storeKeysMark(stores.pool(), 'c_none')).toBeNull();
  });
});
