import { expect, test } from 'vitest';
import { z } from 'zod';
import { wantWindow } from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { PAGE } from '../../../../src/bridge/reconciliation/sync-run.ts';
import type { StoreApi, Storefronts } from '../../../../src/bridge/storefronts/contract.ts';
import { storefrontOf } from '../../../../src/bridge/storefronts/registry.ts';
import { NotCalled } from '../../../../src/bridge/storefronts/store-failure.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { startChangingStore } from '../../../support/servers/changing-store.ts';
import { readStorefronts } from '../../../support/worlds/changing-store-api.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const newWorld = useSharedWorlds();
const standard = storefrontOf(readStorefronts, 'standard');
const api = standard.api;
if (api?.changedSince === undefined) throw new Error('it is read');
const { changedSince } = api;

/** A registry whose own shops are left alone while they are read: before any request, or after one that was answered. */
const leftToOthers = (when: 'before' | 'after'): Storefronts => {
  const changed: StoreApi['changedSince'] = async (access, query, means) => {
    if (when === 'after') await changedSince(access, query, means);
    throw new NotCalled('the rest is left to others');
  };
  return { ...readStorefronts, standard: { ...standard, api: { ...api, changedSince: changed } } };
};

const leftRows = rowsOf('store_syncs', z.object({ error: z.string(), inSeconds: z.number(), size: z.number() }));

test.each(['before', 'after'] as const)(
  'a store that is left to others %s a request is read again within minutes, with as many orders at a time',
  async (when) => {
    await using store = await startChangingStore();
    await using world = await newWorld({ storefronts: leftToOthers(when), config: { reconcileSeconds: 3_600 } });
    const { bridge } = world;
    const { connection } = await bridge.connect({ access: { url: store.url } });
    // Else it would be read some time within the hour.
    await wantWindow(bridge.pool, connection.id, { since: connection.createdAt, why: 'somebody asks' });
    const read = () =>
      readRows(bridge.pool, leftRows, {
        text: `select last ->> 'error' as error, extract(epoch from due_at - now())::float8 as "inSeconds", (sync_runs -> 'changes' ->> 'size')::int as size
        from store_syncs join jobs on kind = 'sync' and key = connection_id where last ->> 'error' is not null and lease is null`,
      });
    await until(async () => (await read()).length === 1, { what: 'the store to be left alone' });

    const [syncRun] = await read();
    expect(syncRun).toMatchObject({ error: 'storefront.unreachable: the rest is left to others', size: PAGE });
    expect(syncRun?.inSeconds).toBeGreaterThan(20);
    expect(syncRun?.inSeconds).toBeLessThan(120);
  },
);
