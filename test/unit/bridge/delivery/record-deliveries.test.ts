import { describe, expect, test } from 'vitest';
import type { Connection, LiveSecret, StoreHost } from '../../../../src/bridge/connections/connection.ts';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { type OrderDelivery, type RecorderLedger, recordDeliveries } from '../../../../src/bridge/delivery/record-deliveries.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { noAttempts } from '../../../support/attempts/no-attempts.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';
import { normalize, wooOrder } from '../../../support/samples/woo-order.ts';

const delivery = (store: string | null): AcceptedDelivery => ({
  ...{ id: '1', connectionId: 'c1', arrivedAt: '2026-11-21T03:00:00.000Z', topic: 'order.updated', platformDeliveryId: null, body: null },
  ...{ store, normalized: normalize(wooOrder()) },
});

type Known = { store: string | null; platform?: 'woocommerce' | 'shopify'; hosts?: StoreHost[]; secrets?: LiveSecret[]; namesakes?: Connection[] };

/** What recording asks of the ledger, call by call, and the names that orders are filed under. */
async function calls(
  { store, platform = 'woocommerce', hosts = [], secrets = [], namesakes = [] }: Known,
  named: string | null,
  ownership: StoreHost['ownership'] = 'quarantined',
): Promise<string[]> {
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
    connectionsOfStore: async () => namesakes,
    admit: async ({ host, undecided, elsewhere }) => {
      seen.push(`admit ${host}${undecided ? ', undecided' : ''}${elsewhere ? ', elsewhere' : ''}`);
      return ownership;
    },
    ...{ note: unexpected, warn: unexpected, endWarning: unexpected, privacy: unexpected },
  };
  const connection = sampleConnection({ platform, name: platform === 'shopify' ? OF_APP : 'corner', store, hosts, secrets });
  const deps = {
    ledger,
    storefronts,
    connection: async () => connection,
    notify: () => undefined,
    firstAttempts: noAttempts,
    uninstalled: unexpected,
    quietSeconds: 0,
    now: Date.now,
    onMerged: () => undefined,
  };
  await recordDeliveries(deps, [delivery(named)]);
  return seen;
}

const STORE = 'https://shop.example';

test('a delivery of a known host costs no query but that which records it', async () => {
  expect(await calls({ store: STORE }, 'http://www.shop.example/bg')).toEqual([`recorded under ${STORE}`]);
  expect(await calls({ store: STORE, hosts: [{ host: 'new.example', ownership: 'ours', dismissed: 0 }] }, 'https://new.example')).toEqual([
    `recorded under ${STORE}`,
  ]);
  expect(await calls({ store: STORE }, null)).toEqual([`recorded under ${STORE}`]);
});

test('the first delivery claims its host before it names the store', async () => {
  expect(await calls({ store: null }, STORE, 'ours')).toEqual(['admit shop.example, undecided', `pin ${STORE}`, `recorded under ${STORE}`]);
  expect(await calls({ store: null }, null)).toEqual(['pin corner', 'recorded under corner']);
});

test.each([
  ['quarantined', ['admit staging.example']],
  ['not-ours', ['admit staging.example']],
  ['ours', ['admit staging.example', `recorded under ${STORE}`]],
] as const)('a delivery of another host is recorded only if the ledger knows it by now: %s', async (ownership, expected) => {
  expect(await calls({ store: STORE }, 'https://staging.example', ownership)).toEqual(expected);
});

const OF_APP = 'other-shop.myshopify.com';
const SHOP = 'shop.myshopify.com';

describe('a first delivery of a host that another connection of the app has', () => {
  const [ours, theirs] = [
    { secret: 'of both', until: null },
    { secret: 'theirs', until: null },
  ];
  const other = (values: Partial<Connection>) => sampleConnection({ platform: 'shopify', id: 'c2', store: SHOP, secrets: [theirs, ours], ...values });

  test.each<[string, Connection, boolean]>([
    ['with the same secret', other({}), true],
    ['by a host that a person added', other({ store: 'corner', hosts: [{ host: 'shop.myshopify.com', ownership: 'ours', dismissed: 0 }] }), true],
    ['with a secret of its own', other({ secrets: [theirs] }), false],
    ['that is closed', other({ closedAt: '2026-11-01T00:00:00Z' }), false],
    ['that is not its own', other({ hosts: [{ host: 'shop.myshopify.com', ownership: 'not-ours', dismissed: 0 }] }), false],
    ['that is this one', other({ id: 'c1' }), false],
  ])('%s', async (_whose, namesake, elsewhere) => {
    const seen = await calls({ store: null, platform: 'shopify', secrets: [ours], namesakes: [namesake] }, SHOP);

    expect(seen).toEqual([`admit shop.myshopify.com, undecided${elsewhere ? ', elsewhere' : ''}`]);
  });

  test('decides where each store has a secret of its own: the one that was given twice is of one store', async () => {
    expect(await calls({ store: null, secrets: [ours], namesakes: [other({ platform: 'woocommerce' })] }, SHOP)).toEqual([
      'admit shop.myshopify.com, undecided',
    ]);
  });

  test('is not looked for where it could not decide', async () => {
    const quarantined = { host: 'shop.myshopify.com', ownership: 'quarantined', dismissed: 0 } as const;

    expect(await calls({ store: null, platform: 'shopify', hosts: [quarantined], secrets: [ours], namesakes: [other({})] }, SHOP)).toEqual([
      'admit shop.myshopify.com, undecided',
    ]);
  });
});

test.each([
  [0, [1]],
  [60, []],
])('slots are asked for where orders are due at once: after a quiet time of %i s %j', async (quietSeconds, expected) => {
  const asked: number[] = [];
  const deps = {
    ledger: { recordOrders: async () => ({ orders: [], duplicates: 0 }) } as unknown as RecorderLedger,
    storefronts,
    connection: async () => sampleConnection({ store: STORE, platform: 'woocommerce' }),
    notify: () => undefined,
    firstAttempts: {
      capacity: async (orders: number) => {
        asked.push(orders);
        return null;
      },
      take: () => undefined,
    },
    uninstalled: async () => 'closed' as const,
    quietSeconds,
    now: () => Date.parse('2026-11-21T03:00:01.000Z'),
    onMerged: () => undefined,
  };
  await recordDeliveries(deps, [delivery(STORE)]);
  expect(asked).toEqual(expected);
});
