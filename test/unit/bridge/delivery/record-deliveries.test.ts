import { expect, test } from 'vitest';
import type { StoreHost } from '../../../../src/bridge/connections/connection.ts';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { type OrderDelivery, type RecorderLedger, recordDeliveries } from '../../../../src/bridge/delivery/record-deliveries.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';
import { normalize, wooOrder } from '../../../support/samples/woo-order.ts';

const delivery = (store: string | null): AcceptedDelivery => ({
  ...{ id: '1', connectionId: 'c1', arrivedAt: '2026-11-21T03:00:00.000Z', topic: 'order.updated', platformDeliveryId: null, body: null },
  ...{ store, normalized: normalize(wooOrder()) },
});

type Known = { store: string | null; hosts?: StoreHost[] };

/** What recording asks of the ledger, call by call, and the names that orders are filed under. */
async function calls({ store, hosts = [] }: Known, named: string | null, verdict: StoreHost['verdict'] = 'held'): Promise<string[]> {
  const seen: string[] = [];
  const unexpected = () => Promise.reject(new Error('not expected'));
  const ledger: RecorderLedger = {
    ordersOfRefund: async () => [],
    recordOrders: async (items: OrderDelivery[]) => {
      seen.push(`recorded under ${items.map(({ key }) => key.store).join()}`);
      return { orders: [], duplicates: 0 };
    },
    pinStore: async (_id, name) => {
      seen.push(`pin ${name}`);
      return name;
    },
    admit: async ({ host, undecided }) => {
      seen.push(`admit ${host}${undecided ? ', undecided' : ''}`);
      return verdict;
    },
    ...{ note: unexpected, warn: unexpected, endWarning: unexpected, close: unexpected, privacy: unexpected },
  };
  const connection = sampleConnection({ platform: 'woocommerce', name: 'corner', store, hosts });
  const deps = { ledger, storefronts, connection: async () => connection, wake: async () => undefined, settleSeconds: 0, onMerged: () => undefined };
  await recordDeliveries(deps, [delivery(named)]);
  return seen;
}

const STORE = 'https://shop.example';

test('a delivery of a known host costs no query but that which records it', async () => {
  expect(await calls({ store: STORE }, 'http://www.shop.example/bg')).toEqual([`recorded under ${STORE}`]);
  expect(await calls({ store: STORE, hosts: [{ host: 'new.example', verdict: 'ours', dismissed: 0 }] }, 'https://new.example')).toEqual([
    `recorded under ${STORE}`,
  ]);
  expect(await calls({ store: STORE }, null)).toEqual([`recorded under ${STORE}`]);
});

test('the first delivery claims its host before it names the store', async () => {
  expect(await calls({ store: null }, STORE, 'ours')).toEqual(['admit shop.example, undecided', `pin ${STORE}`, `recorded under ${STORE}`]);
  expect(await calls({ store: null }, null)).toEqual(['pin corner', 'recorded under corner']);
});

test.each([
  ['held', ['admit staging.example']],
  ['not-ours', ['admit staging.example']],
  ['ours', ['admit staging.example', `recorded under ${STORE}`]],
] as const)('a delivery of another host is recorded only if the ledger knows it by now: %s', async (verdict, expected) => {
  expect(await calls({ store: STORE }, 'https://staging.example', verdict)).toEqual(expected);
});
