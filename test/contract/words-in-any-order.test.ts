import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step } from '../../src/bridge/order/decisions/step.ts';
import { type Delivering, playHistory } from '../support/histories/play-history.ts';
import type { Told, ToldHistory } from '../support/histories/told-history.ts';
import { runs } from '../support/run-size.ts';
import { ordersApi } from '../support/servers/woo/woo-orders-api.ts';
import { WooShopFloor } from '../support/servers/woo/woo-shop-floor.ts';

const BOUGHT = Date.parse('2026-11-21T10:00:00Z');
const PAID_TOTAL = new Map([['20', 2_400n]]);
const SETTINGS = { host: 'shop.example', utcOffsetHours: 2, hasRefundsList: true, mostPerPage: 100, leavesOut: () => false, hasTotals: true };

/** What a merchant does to a paid order, where it can be done. `back`: out of the trash by a change of status, of which no whole state is sent. */
type Act = 'save' | 'trash' | 'restore' | 'back' | 'cancel' | 'reopen';
/** `seconds`: after the one before; `isSent`: the store's queue runs then, and sends each order as it is by that time. */
type Lived = { act: Act; seconds: number; isSent: boolean };

const can: Record<Act, (status: string) => boolean> = {
  save: (status) => status !== 'trash',
  trash: (status) => status !== 'trash',
  restore: (status) => status === 'trash',
  back: (status) => status === 'trash',
  cancel: (status) => status === 'processing',
  reopen: (status) => status === 'cancelled',
};

/** The life of a sale of 24.00: `told` has the webhooks of all topics, and `status` how it ends. */
function live(acts: readonly Lived[]): ToldHistory & { status: string } {
  let now = BOUGHT;
  const told: Told[] = [];
  const queue: { topic: string; id: number }[] = [];
  const floor = new WooShopFloor({ now: () => now, onEvent: (event) => queue.push(event) });
  const run = () => {
    for (const { topic, id } of queue.splice(0)) told.push({ topic, body: bodyOf(floor, topic, id), at: now });
  };
  const { id } = floor.buy({ paid: false });
  floor.pay(id);
  for (const { act, seconds, isSent } of [{ act: 'save', seconds: 0, isSent: true } as const, ...acts]) {
    now += seconds * 1_000;
    if (can[act](floor.order(id).status)) perform(floor, id, act);
    if (isSent) run();
  }
  run();
  const api: ToldHistory['api'] = async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    return ordersApi({ floor, ...SETTINGS }, pathname.replace('/wp-json/wc/v3/', ''), searchParams);
  };
  const truth = { byRate: null, tolerance: 0n, agrees: true };
  return { platform: 'woocommerce', told, api, truth, story: acts.map(({ act }) => act), status: floor.order(id).status };
}

function bodyOf(floor: WooShopFloor, topic: string, id: number): unknown {
  if (topic.startsWith('action.')) return { action: topic.slice('action.'.length), arg: id };
  return topic === 'order.deleted' ? { id } : structuredClone(floor.order(id));
}

function perform(floor: WooShopFloor, id: number, act: Act): void {
  switch (act) {
    case 'save':
      return floor.save(id);
    case 'trash':
      return floor.trash(id);
    case 'restore':
      return floor.restore(id);
    case 'cancel':
      return floor.setStatus(id, 'cancelled');
    default:
      return floor.setStatus(id, 'processing');
  }
}

const lives = fc.array(
  fc.record({
    act: fc.constantFrom<Act>('save', 'trash', 'trash', 'restore', 'back', 'cancel', 'reopen'),
    seconds: fc.constantFrom(0, 1, 90),
    isSent: fc.boolean(),
  }),
  { maxLength: 5 },
);

/** The webhooks in some order of arrival, some of them lost or doubled, with attempts in between. */
const deliveries = fc.record({
  places: fc.array(fc.record({ place: fc.double({ noNaN: true }), copies: fc.constantFrom(0, 1, 1, 1, 1, 2), isProcessed: fc.boolean() }), {
    minLength: 40,
    maxLength: 40,
  }),
  silent: fc.constantFrom<Delivering['silent']>(undefined, 'at first'),
});

type Places = { place: number; copies: number; isProcessed: boolean }[];

function deliveringOf({ told }: ToldHistory, places: Places): Pick<Delivering, 'arrivals' | 'attempts'> {
  const sent = told.flatMap((_, nth) =>
    Array.from({ length: places[nth]?.copies ?? 1 }, (__, copy) => ({ nth, at: places[(nth + 17 * copy) % 40]?.place ?? 0 })),
  );
  const arrivals = sent.toSorted((a, b) => a.at - b.at).map(({ nth }) => nth);
  return { arrivals, attempts: new Set(arrivals.keys().filter((nth) => places[nth]?.isProcessed === true)) };
}

// With `removeWithoutRefund: review`, as here, nothing of these lives proves that money went back: a person is asked about what is recorded.
test('live L1: in whatever order, and however often, webhooks of a sale come, it is recorded once, and nothing removes it', async () => {
  await fc.assert(
    fc.asyncProperty(lives, deliveries, async (acts, { places, silent }) => {
      const history = live(acts);
      const sent: Step['kind'][] = [];
      const delivering = deliveringOf(history, places);
      fc.pre(delivering.arrivals.length > 0);

      const { stands, asked } = await playHistory(history, {
        ...delivering,
        ...(silent === undefined ? {} : { silent }),
        isRead: true,
        onSend: (kind) => void sent.push(kind),
      });

      const isLive = history.status === 'processing';
      expect(sent.filter((kind) => kind === 'delete')).toEqual([]);
      expect(sent.length).toBeLessThanOrEqual(1);
      if (isLive) expect([...stands]).toEqual([...PAID_TOTAL]);
      expect(asked?.split(':')[0] ?? null).toBe(isLive ? null : 'removal.unproven');
    }),
    { numRuns: runs(80, 400) },
  );
});

test('live L1: a sale whose state came is recorded although the store’s API never answers', async () => {
  await fc.assert(
    fc.asyncProperty(deliveries, async ({ places }) => {
      const history = live([]);
      const { arrivals, attempts } = deliveringOf(history, places);
      fc.pre(arrivals.some((nth) => history.told[nth]?.topic.startsWith('order.') === true));

      const { stands, asked } = await playHistory(history, { arrivals, attempts, silent: 'always' });

      expect(asked).toBeNull();
      expect([...stands]).toEqual([...PAID_TOTAL]);
    }),
    { numRuns: runs(30, 100) },
  );
});
