import { randomBytes } from 'node:crypto';
import { addMonths, monthOf } from '../service/law/months.ts';
import { sofiaDay } from '../service/law/sofia-day.ts';
import type { DemoStore } from './demo-stores.ts';
import { demoTime } from './demo-time.ts';
import type { StoryWebhook } from './story.ts';
import { type WooBasket, type WooItem, wooOrder } from './woocommerce-bodies.ts';

/** The two months before the one of `now`, a moment near the end of the first, and one at which orders of both can still be recorded. */
export type PastMonths = { filed: string; last: string; withTimeout: Date; between: Date };

const HOUR_MS = 3_600_000;

export function pastMonths(now: number): PastMonths {
  const last = addMonths(monthOf(sofiaDay(new Date(now).toISOString())), -1);
  const filed = addMonths(last, -1);
  return { filed, last, withTimeout: new Date(`${filed}-27T10:00:00Z`), between: new Date(`${last}-09T10:00:00Z`) };
}

const candle: WooItem = { id: 81, name: 'Свещ от соев восък „Липа“', quantity: 2, net: '20.00', vat: '4.00', rate: 20 };
const lantern: WooItem = { id: 82, name: 'Фенер за градина', quantity: 1, net: '32.50', vat: '6.50', rate: 20 };
const book: WooItem = { id: 83, name: 'Книга „Пчелният восък“', quantity: 1, net: '16.51', vat: '1.49', rate: 9 };

const baskets = {
  candles: { total: '24.00', items: [candle] },
  lantern: { total: '39.00', items: [lantern] },
  mixed: { total: '42.00', items: [candle, book] },
} as const satisfies Record<string, Omit<WooBasket, 'id'>>;

/** “Липа”, candles on WooCommerce: a shop that has its months behind it. It answered what “Сова” is asked. */
export function lindenStore({ filed }: PastMonths): DemoStore {
  return {
    platform: 'woocommerce',
    title: 'Липа, candles on WooCommerce',
    store: 'https://lipa.example',
    companyUic: '200000041',
    secret: randomBytes(24).toString('base64url'),
    settings: {
      recordFrom: `${filed}-01T00:00:00Z`,
      vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' },
      payments: { cod: { paymentType: 'POSTAL_PAYMENT' }, econt_pay: { paymentType: 'POSTAL_PAYMENT' } },
      receipts: true,
      settleSeconds: 0,
    },
    stories: [],
  };
}

type Past = Omit<WooBasket, 'id'> & { id: number; at: string };

/** What it sold in the first of both months, as its webhooks told it then. */
export function lindenFirst({ filed }: PastMonths): StoryWebhook[] {
  return told([
    { id: 4102, at: `${filed}-04T08:10:00Z`, ...baskets.candles },
    { id: 4103, at: `${filed}-13T15:42:00Z`, ...baskets.mixed },
    { id: 4104, at: `${filed}-25T11:05:00Z`, ...baskets.lantern, method: 'econt_pay' },
  ]);
}

/** What it sold in the second one, and an order of the first that came late. */
export function lindenSecond({ filed, last }: PastMonths): StoryWebhook[] {
  return told([
    { id: 4105, at: `${filed}-29T19:20:00Z`, ...baskets.candles },
    { id: 4202, at: `${last}-02T07:31:00Z`, ...baskets.mixed },
    { id: 4203, at: `${last}-03T12:18:00Z`, ...baskets.candles },
    { id: 4204, at: `${last}-05T16:54:00Z`, ...baskets.lantern },
    { id: 4205, at: `${last}-06T09:26:00Z`, ...baskets.candles, method: 'econt_pay' },
    { id: 4206, at: `${last}-08T18:03:00Z`, ...baskets.mixed },
  ]);
}

function told(orders: readonly Past[]): StoryWebhook[] {
  return orders.map(({ at, ...basket }) => paid(Date.parse(at) + HOUR_MS, basket));
}

/** What it sold just now. */
export function lindenToday(now: number): StoryWebhook {
  return paid(now, { id: 4302, ...baskets.lantern });
}

export const LINDEN_TODAY = '4302';

/** What nobody understands, though it is signed: an order without its lines and total. */
export function lindenUnreadable(now: number): StoryWebhook {
  const { line_items: _lines, total: _total, ...rest } = wooOrder(demoTime(now), 3, { id: 4303, ...baskets.candles });
  return { act: 1, topic: 'order.updated', body: rest };
}

/** Where somebody tries things out, with the secret of the shop. */
export const LINDEN_COPY = 'https://staging.lipa.example';

export function lindenCopied(now: number): StoryWebhook {
  return paid(now, { id: 4304, ...baskets.mixed });
}

/** Paid an hour before `at`, as the times of stories are reckoned. */
function paid(at: number, basket: WooBasket): StoryWebhook {
  return { act: 1, topic: 'order.created', body: wooOrder(demoTime(at), 2, basket) };
}
