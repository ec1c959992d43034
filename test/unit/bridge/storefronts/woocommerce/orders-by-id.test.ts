import { describe, expect, test } from 'vitest';
import { ordersById } from '../../../../../src/bridge/storefronts/woocommerce/read-orders.ts';
import { snapshotOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize } from '../../../../support/samples/woo-order.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';

type Reader = Awaited<ReturnType<typeof startWooReader>>;

const MINUTE = 60_000;

async function read(it: Reader, ids: readonly number[]) {
  const found = await ordersById(
    it.access(),
    ids.map((id) => ({ orderId: String(id), placedAt: null })),
    it.means(),
  );
  return { ...found, byId: new Map(found.news.map((news) => [Number(news.orderId), news])) };
}

function buy({ store }: Reader, count: number): number[] {
  return Array.from({ length: count }, () => store.floor.buy({ items: [{ cents: 1200, quantity: 2 }] }).id);
}

const paths = ({ store }: Reader) => store.asked.map(({ path }) => path.replace('/wp-json/wc/v3/', '').replace(/_fields=.*/, ''));

describe('orders by their ids', () => {
  test('are what webhooks would have said, and that they were read', async () => {
    await using it = await startWooReader();
    const [id = 0] = buy(it, 1);
    it.clock.now += MINUTE;
    const { news } = await read(it, [id]);

    const { digest: _ofWebhook, ...told } = snapshotOf(normalize(it.store.floor.order(id)));
    expect(news).toHaveLength(1);
    expect(news[0]).toMatchObject({ orderId: String(id), snapshot: { ...told, readAt: '2026-11-22T10:01:00.000Z' }, customer: { firstName: 'Мария' } });
    expect(news[0]).not.toHaveProperty('refunds');
  });

  test('that are being saved may change again within the second: they are no last word', async () => {
    await using it = await startWooReader();
    const { news } = await read(it, buy(it, 1));

    expect(news[0]?.snapshot).not.toHaveProperty('readAt');
  });

  test('are read in blocks', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 60);
    const { byId, gone, unknown } = await read(it, ids);

    expect([...byId.keys()].toSorted()).toEqual(ids.toSorted());
    expect([gone, unknown]).toEqual([[], []]);
    expect(it.store.asked).toHaveLength(3);
  });

  test('are told apart: in the trash, and gone for good', async () => {
    await using it = await startWooReader();
    const [trashed = 0, kept = 0, gone = 0, alsoTrashed = 0] = buy(it, 4);
    for (const id of [trashed, alsoTrashed]) it.store.floor.trash(id);
    it.store.floor.deleteForGood(gone);
    const found = await read(it, [trashed, kept, gone, alsoTrashed]);

    expect(found.gone).toEqual([String(gone)]);
    const lifecycle = (id: number) => found.byId.get(id)?.snapshot?.lifecycle;
    expect([trashed, kept, alsoTrashed].map(lifecycle)).toEqual(['trashed', 'live', 'trashed']);
    expect(paths(it).map((path) => path.split('?')[0])).toEqual(['orders', 'orders', `orders/${gone}`]);
  });

  test('of which one is missing take one request more', async () => {
    await using it = await startWooReader();
    const [trashed = 0, kept = 0] = buy(it, 2);
    it.store.floor.trash(trashed);
    const { byId } = await read(it, [trashed, kept]);

    expect(byId.get(trashed)?.snapshot?.lifecycle).toBe('trashed');
    expect(it.store.asked).toHaveLength(2);
  });

  test('that can’t be read are unknown, not gone, and keep nobody else from being read', async () => {
    await using it = await startWooReader();
    const [broken = 0, fine = 0, alsoBroken = 0] = buy(it, 3);
    Object.assign(it.store.floor.order(broken), { total: 'a lot' });
    Object.assign(it.store.floor.order(alsoBroken), { status: 'trash', total: 'a lot' });
    const { byId, gone, unknown } = await read(it, [broken, fine, alsoBroken]);

    expect([...byId.keys()]).toEqual([fine]);
    expect([gone, unknown]).toEqual([[], [String(broken), String(alsoBroken)]]);
  });

  test('are only those that were asked for, even if a plugin ignores which', async () => {
    await using it = await startWooReader();
    const [wanted = 0] = buy(it, 2);
    it.store.host.intercept = ({ path }) => (path.includes('include=') ? { status: 200, body: [...it.store.floor.orders.values()] } : undefined);

    expect([...(await read(it, [wanted])).byId.keys()]).toEqual([wanted]);
  });

  test('of an outage are no news at all: nothing is concluded', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 2);
    it.store.host.intercept = () => ({ status: 503, body: '' });

    await expect(read(it, ids)).rejects.toThrow(/answered 503/);
  });
});

describe('refunds of orders by their ids', () => {
  /** So many orders, each with a refund of one of its two pieces. */
  function refunded(it: Reader, count: number) {
    return buy(it, count).map((id) => ({ id, refund: it.store.floor.refund(id, { cents: 1200 }).id }));
  }

  test('come with their lines, those of all orders by one request', async () => {
    await using it = await startWooReader();
    const all = refunded(it, 3);
    const [unrefunded = 0] = buy(it, 1);
    const { byId } = await read(it, [...all.map(({ id }) => id), unrefunded]);

    for (const { id, refund } of all)
      expect(byId.get(id)).toMatchObject({
        snapshot: { refunds: [{ id: String(refund) }] },
        refunds: [{ id: String(refund), amount: '12.00', lines: [{ amount: '12.00' }] }],
      });
    expect(byId.get(unrefunded)).not.toHaveProperty('refunds');
    expect(paths(it)).toEqual([expect.stringMatching(/^orders\?/), expect.stringMatching(/^refunds\?include=/)]);
  });

  test('of one order come from the order itself', async () => {
    await using it = await startWooReader();
    const [{ id, refund } = { id: 0, refund: 0 }] = refunded(it, 1);

    expect((await read(it, [id])).byId.get(id)?.refunds).toMatchObject([{ id: String(refund) }]);
    expect(paths(it)[1]).toMatch(`orders/${id}/refunds?`);
  });

  test('of WooCommerce 8, which has no list of all, come order by order, and the list is not asked for again', async () => {
    await using it = await startWooReader({ hasRefundsList: false });
    const all = refunded(it, 2);
    const ids = all.map(({ id }) => id);
    const first = await read(it, ids);
    const firstPaths = paths(it);
    it.store.asked.length = 0;
    await read(it, ids);

    expect(all.map(({ id }) => first.byId.get(id)?.refunds?.[0]?.id)).toEqual(all.map(({ refund }) => String(refund)));
    expect(firstPaths.filter((path) => path.startsWith('refunds?'))).toHaveLength(1);
    expect(paths(it).filter((path) => path.startsWith('refunds?'))).toHaveLength(0);
  });

  test('that the list leaves out come from the order', async () => {
    await using it = await startWooReader();
    const all = refunded(it, 2);
    it.store.host.intercept = ({ path }) => (path.includes('/refunds?include=') ? { status: 200, body: [] } : undefined);
    const { byId } = await read(
      it,
      all.map(({ id }) => id),
    );

    expect(all.map(({ id }) => byId.get(id)?.refunds?.[0]?.id)).toEqual(all.map(({ refund }) => String(refund)));
  });

  test('that were deleted since are left out, though the order’s time of change stands still', async () => {
    await using it = await startWooReader();
    const [first, second] = refunded(it, 2);
    it.clock.now += MINUTE;
    it.store.floor.deleteRefund(first?.id ?? 0, first?.refund ?? 0);
    const { byId } = await read(it, [first?.id ?? 0, second?.id ?? 0]);

    expect(byId.get(first?.id ?? 0)).toMatchObject({ snapshot: { refunds: [], readAt: '2026-11-22T10:01:00.000Z', updatedAt: '2026-11-22T10:00:00.000Z' } });
  });

  test('one of which can’t be read leave their own order unknown, and keep no other from being read', async () => {
    await using it = await startWooReader();
    const [broken, fine, alone] = refunded(it, 3);
    const refundOf = (of: typeof broken) => it.store.floor.refunds.get(of?.refund ?? 0) ?? {};
    for (const one of [broken, alone]) Object.assign(refundOf(one), { amount: '' });
    const both = await read(it, [broken?.id ?? 0, fine?.id ?? 0]);

    expect([[...both.byId.keys()], both.gone, both.unknown]).toEqual([[fine?.id], [], [String(broken?.id)]]);
    expect(both.byId.get(fine?.id ?? 0)?.refunds).toMatchObject([{ id: String(fine?.refund), amount: '12.00' }]);
    expect(await read(it, [alone?.id ?? 0])).toMatchObject({ news: [], gone: [], unknown: [String(alone?.id)] });
  });

  test('that can’t be listed are a failure, not an order without them', async () => {
    await using it = await startWooReader();
    const all = refunded(it, 2);
    it.store.host.intercept = ({ path }) => (path.includes('/refunds?') ? { status: 500, body: '' } : undefined);

    await expect(
      read(
        it,
        all.map(({ id }) => id),
      ),
    ).rejects.toThrow(/answered 500/);
  });
});
