import { describe, expect, test } from 'vitest';
import { changedSince } from '../../../../../src/bridge/storefronts/woocommerce/changed-since.ts';
import { startWooReader, TEN } from '../../../../support/servers/woo/read-woo.ts';

const SECOND = 1_000;

type Reader = Awaited<ReturnType<typeof startWooReader>>;

/** So many orders, `apart` ms one after the other; their ids. */
function buy({ store, clock }: Reader, count: number, apart = SECOND): string[] {
  return Array.from({ length: count }, () => {
    clock.now += apart;
    return String(store.floor.buy().id);
  });
}

const idsOf = (summaries: readonly { orderId: string }[]) => summaries.map(({ orderId }) => orderId);

/** Each once, sorted. */
const distinct = (summaries: readonly { orderId: string }[]) => [...new Set(idsOf(summaries))].toSorted();

describe('the orders that changed', () => {
  test('in the second of `since` itself are listed, those of the second before are not', async () => {
    await using it = await startWooReader();
    it.store.floor.buy();
    it.clock.now += SECOND;
    const { id } = it.store.floor.buy();

    expect(idsOf(await it.list({ since: '2026-11-22T10:00:01.999Z' }))).toEqual([String(id)]);
  });

  test('are listed by UTC, whatever the store’s time zone is', async () => {
    await using it = await startWooReader({ utcOffsetHours: -8 });
    const ids = buy(it, 2);

    expect(idsOf(await it.list())).toEqual(ids);
  });

  test('come oldest change first, with what a comparison needs', async () => {
    await using it = await startWooReader();
    const first = it.store.floor.buy();
    const second = it.store.floor.buy({ gateway: 'bacs', paid: false, values: { status: 'on-hold' } });
    it.clock.now += SECOND;
    const refund = it.store.floor.refund(first.id, { cents: 700 });

    expect(await it.list()).toEqual([
      {
        ...{ orderId: String(second.id), number: String(second.id), updatedAt: TEN, status: 'on-hold', lifecycle: 'live', payment: 'unpaid', test: false },
        ...{ currency: 'EUR', total: '24.00', soldAt: TEN, createdAt: TEN, kept: null, refundIds: [] },
      },
      {
        ...{ orderId: String(first.id), number: String(first.id), updatedAt: '2026-11-22T10:00:01.000Z', status: 'processing', lifecycle: 'live' },
        ...{ payment: 'paid', test: false, currency: 'EUR', total: '24.00', soldAt: TEN, createdAt: TEN, kept: '17.00', refundIds: [String(refund.id)] },
      },
    ]);
  });

  test('of a checkout that somebody looked at are drafts', async () => {
    await using it = await startWooReader();
    it.store.floor.buy({ paid: false, values: { status: 'checkout-draft' } });

    expect(await it.list()).toMatchObject([{ lifecycle: 'draft' }]);
  });

  test('and lie in the trash are listed after the others, which the store keeps apart', async () => {
    await using it = await startWooReader();
    const [trashed = '', kept = '', alsoTrashed = ''] = buy(it, 3);
    it.store.floor.trash(Number(trashed));
    it.store.floor.trash(Number(alsoTrashed));

    const summaries = await it.list({ size: 1 });

    expect([...new Set(idsOf(summaries))]).toEqual([kept, trashed, alsoTrashed]);
    expect(summaries.at(-1)).toMatchObject({ lifecycle: 'trashed', status: 'trash', payment: 'paid' });
  });

  test('cost an idle store one request a list', async () => {
    await using it = await startWooReader();
    await it.list();
    it.store.asked.length = 0;
    await it.list();

    expect(it.store.asked).toHaveLength(2);
    expect(it.store.asked[0]?.path).toContain('_fields=id,number,status,currency,date_created_gmt,date_modified_gmt,date_paid_gmt,total,refunds');
  });

  test('are never listed by a cache: a parameter changes from one sync run to the next', async () => {
    await using it = await startWooReader();
    await it.list();
    it.clock.now += 1;
    await it.list();

    expect(new Set(it.store.asked.map(({ path }) => path)).size).toBe(4);
  });
});

describe('pages that drift', () => {
  test('skip an order if they are counted; the stand-in does as live stores do', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 4);
    const page = async (number: number) => {
      const path = `/wp-json/wc/v3/orders?modified_after=2026-11-22T10:00:00Z&orderby=modified&order=asc&per_page=2&page=${number}`;
      const { body } = await it.means().fetchJson({ url: `${it.store.url}${path}`, authorization: `Basic ${btoa('ck_read:cs_read')}` });
      return Array.isArray(body) ? body.map(({ id }) => String(id)) : [];
    };
    const first = await page(1);
    it.store.floor.save(Number(ids[0]));

    expect([...first, ...(await page(2))]).not.toContain(ids[2]);
  });

  test('lose no order that is saved between two of them, nor any other', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 12);
    const summaries = await it.list({
      size: 3,
      onPage: (page) => {
        if (page > 4) return;
        it.clock.now += SECOND;
        it.store.floor.save(Number(ids[page - 1]));
      },
    });

    expect(distinct(summaries)).toEqual(ids.toSorted());
    expect(it.store.asked.every(({ path }) => path.includes('&page=1&'))).toBe(true);
  });

  test('of one second are walked by page, and on behind it', async () => {
    await using it = await startWooReader();
    const ids = [...buy(it, 1), ...buy(it, 7, 0), ...buy(it, 2)];

    expect(distinct(await it.list({ size: 3 }))).toEqual(ids.toSorted());
    expect(it.store.asked.some(({ path }) => path.includes('&page=3&'))).toBe(true);
  });

  test('of one second lose nothing when an order of it is saved meanwhile', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 9, 0);
    const summaries = await it.list({
      size: 3,
      onPage: (page) => {
        if (page !== 2) return;
        it.clock.now += SECOND;
        it.store.floor.save(Number(ids[1]));
      },
    });

    expect(distinct(summaries)).toEqual(ids.toSorted());
  });

  test('of one second whose orders never come alike are walked to the end all the same', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 9, 0);
    // Each time that the page before is looked at again, another order ends it.
    let other = 1_000;
    it.store.host.intercept = ({ path }) => {
      other += 1;
      return path.includes('_fields=id,date_created_gmt,') ? { status: 200, body: [{ id: other, date_created_gmt: '2026-11-22T10:00:00' }] } : undefined;
    };
    const summaries = await it.list({
      size: 3,
      onPage: (page) => {
        if (page > 30) throw new Error('this sync run does not end');
      },
    });

    expect(distinct(summaries)).toEqual(ids.toSorted());
  });
});

describe('where a sync run goes on', () => {
  test('is a text that outlives the process, and the size of its pages', async () => {
    await using it = await startWooReader();
    const ids = buy(it, 8, 0);
    const one = await changedSince(it.access(), { since: TEN, after: null, size: 2 }, it.means());
    const two = await changedSince(it.access(), { since: TEN, after: one.next, size: 2 }, it.means());

    expect(one.next).toBe(`orders/2026-11-22T09:59:59/2/${ids[1]}/0`);
    // With larger pages, the third of these is not where the second of those ended.
    const three = await changedSince(it.access(), { since: TEN, after: two.next, size: 3 }, it.means());
    expect(three.next).toBe('orders/2026-11-22T09:59:59/1//1');
  });

  test.each(['nonsense', 'orders/2026-99-99T10:00:00/1//0'])('is the beginning, if %s says it', async (after) => {
    await using it = await startWooReader();
    const ids = buy(it, 1);

    expect(idsOf((await changedSince(it.access(), { since: TEN, after, size: 5 }, it.means())).summaries)).toEqual(ids);
  });
});

describe('an order of a list', () => {
  const listed = (json: string) => ({ fetchJson: async () => ({ status: 200, body: JSON.parse(json) }), now: Date.parse(TEN) });
  const access = { url: 'https://lists.example', consumerKey: 'ck', consumerSecret: 'cs' };
  const of = (json: string) => changedSince(access, { since: TEN, after: null, size: 5 }, listed(json));

  test('whose money can’t be read is one to be read whole, and stops no sync run', async () => {
    const { summaries } = await of('[{"id":"9007199254740993","date_created_gmt":"2026-11-22T10:00:00","total":"a lot"}]');

    expect(summaries).toMatchObject([{ orderId: '9007199254740993', updatedAt: TEN, payment: 'unpaid', kept: null, refundIds: null }]);
  });

  test.each([
    ['without the time of its placing', '"date_created_gmt":null,"date_modified_gmt":"2026-11-22T10:00:00"', TEN],
    ['placed at no time that there is', '"date_created_gmt":"-0001-11-30T00:00:00","date_modified_gmt":"2026-11-22T10:00:00"', TEN],
    ['changed at no time that there is', '"date_created_gmt":"2026-11-22T10:00:00","date_modified_gmt":"-0001-11-30T00:00:00"', TEN],
    ['without any time', '"date_created_gmt":null', '1970-01-01T00:00:00.000Z'],
  ])('%s is one to be read whole, too', async (_, dates, at) => {
    const { summaries } = await of(`[{"id":7,"status":"processing","currency":"EUR","total":"24",${dates}}]`);

    expect(summaries).toMatchObject([{ orderId: '7', updatedAt: at, soldAt: at, payment: 'unpaid' }]);
  });

  test('that does not list its refunds says neither what is kept nor which there are', async () => {
    const order = '"id":7,"status":"processing","currency":"EUR","total":"24","date_paid_gmt":"2026-11-22T10:00:00","date_created_gmt":"2026-11-22T09:00:00"';

    expect((await of(`[{${order}}]`)).summaries).toMatchObject([
      { number: '7', total: '24.00', kept: null, refundIds: null, soldAt: TEN, updatedAt: '2026-11-22T09:00:00.000Z' },
    ]);
  });

  test('without an id is no order of WooCommerce’s', async () => {
    await expect(of('[{"status":"processing"}]')).rejects.toThrow(/answer is not WooCommerce’s \(0\.id/);
  });
});
