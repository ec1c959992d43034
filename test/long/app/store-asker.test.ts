import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openService } from '../../../src/app/embedded-service.ts';
import { openStoreAsker } from '../../../src/app/store-asker.ts';
import { askStores } from '../../../src/operations/months/make-month.ts';
import { startChangingStore } from '../../support/servers/changing-store.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { readStorefronts } from '../../support/worlds/changing-store-api.ts';
import { ownShop, standingIn } from '../../support/worlds/own-service.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World, WorldOptions } from '../../support/worlds/world.ts';

const newWorld = useSharedWorlds();
const MINUTE = 60_000;

/** A shop of our own service whose store has a paid order that nobody told of. */
async function stage(options: WorldOptions = {}) {
  const store = await startChangingStore();
  const world = await newWorld({ embeddedService: true, storefronts: readStorefronts, ...options });
  // A receiver serves no compliance API.
  const service = options.role === 'receiver' ? null : await ownShop(world);
  const shopId = service?.shopId ?? randomUUID();
  const connected = await world.bridge.connect({ shopId, access: { url: store.url } });
  return {
    ...{ world, shopId, connected, store },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

type Clock = { now?: () => number; signal?: AbortSignal };

async function asked({ bridge }: World, shopId: string, { now = Date.now, signal = new AbortController().signal }: Clock = {}) {
  await using own = await openService(bridge.app.core);
  await using asker = await openStoreAsker(bridge.app.core, own, { shopId, month: '2026-11' });
  if (asker === null) return null;
  const waits: string[] = [];
  const why = await askStores(asker, { shopId, month: '2026-11', signal, now, onWaiting: (until) => waits.push(until) });
  return { why, waits };
}

test('the store is read for the month, and what it has is recorded, before the file is made', async () => {
  await using at = await stage();
  const { world, shopId, connected, store } = at;
  // It changed before the watermark: only a window has it.
  store.put({ ...orderOf('late'), id: 'late', updatedAt: '2026-11-01T10:00:00.000Z' });
  const windows = { changesDue: new Date(Date.now() + 60 * MINUTE).toISOString(), months: new Date().toISOString() };
  await world.bridge.pool.query(
    `insert into store_syncs (connection_id, watermark, windows) values ($1, now(), $2)
      on conflict (connection_id) do update set watermark = excluded.watermark, windows = excluded.windows`,
    [connected.connection.id, JSON.stringify(windows)],
  );
  await readIn(world.bridge.pool, connected.connection.id, 60 * MINUTE);

  expect(await asked(world, shopId)).toMatchObject({ why: null });
  expect(await standingIn(world, { shopId })).toEqual(['late: 48.00']);
});

test('where nobody reads stores it says so after half a minute', async () => {
  await using at = await stage({ role: 'receiver' });
  let now = Date.now();
  const ticking = () => {
    now += MINUTE / 4;
    return now;
  };

  const found = await asked(at.world, at.shopId, { now: ticking });
  expect(found).toEqual({
    why: { en: expect.stringContaining('no worker began to read it'), bg: expect.stringContaining('не започна да го чете') },
    waits: [expect.any(String)],
  });
});

test('a shop whose store can’t be read is not waited for', async () => {
  await using at = await stage({ role: 'receiver' });
  await at.world.bridge.app.core.connections.close(at.connected.connection.id);

  expect(await asked(at.world, at.shopId)).toBeNull();
});

test('interrupted, it refuses', async () => {
  await using at = await stage({ role: 'receiver' });

  await expect(asked(at.world, at.shopId, { signal: AbortSignal.abort() })).rejects.toThrow('interrupted; no file was made');
});
