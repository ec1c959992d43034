import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '../app/ops/metrics.ts';
import { createSubmitter, type SubmitterOptions } from '../app/submitter.ts';
import type { Connection } from '../bridge/connections/connection.ts';
import { findOrder } from '../bridge/ledger/orders/read-orders.ts';
import { CliError } from '../platform/terminal/context.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { addMonths, monthOf, sofiaDay } from '../service/law/calendar.ts';
import type { DemoStore } from './demo-stores.ts';
import { type DemoClock, demoTime } from './demo-time.ts';
import { inLanguage } from './demo-words.ts';
import { type DemoConnection, type DemoRun, drained, send, stopIfAborted } from './play-stories.ts';
import { now as first, type StoryWebhook } from './story.ts';
import { type WooBasket, type WooItem, wooOrder } from './woocommerce-stories.ts';

export const BY_DEMO = 'cli:demo';

/** A fourth shop has two months behind it: one is filed and accepted, the file of the other is made. Then the reply to an order of today is lost. */
export async function playPast(run: DemoRun, clock: DemoClock): Promise<Connection> {
  const { world } = run;
  const { service } = world;
  const months = pastMonths(Date.now());
  const store = inLanguage(lindenStore(months), run.lang);
  clock.stopAt(months.inside);
  const linden = { store, connection: await world.connect(store, null) };
  const first = { shopId: linden.connection.shopId, month: months.filed };
  for (const webhook of lindenFirst(months)) await send(run, linden, webhook);
  await untilQuiet(run);
  clock.stopAt(months.between);
  await service.work.serveMonth(first);
  for (const webhook of lindenSecond(months)) await send(run, linden, webhook);
  await untilQuiet(run);
  await service.months.generate({ ...first, said: { by: BY_DEMO } });
  await file(service, first, months);
  clock.stopAt(null);
  await service.work.serveMonth({ ...first, month: months.last });
  await leaveDoubts(run, linden);
  return linden.connection;
}

async function untilQuiet(run: DemoRun): Promise<void> {
  if (!(await drained(run))) throw new CliError('the months before took too long; this machine may be busy: try again later');
}

async function file(service: ComplianceService, month: { shopId: string; month: string }, { between }: PastMonths): Promise<void> {
  const said = { by: BY_DEMO };
  await service.months.mailed({ ...month, said });
  await service.months.checked({ ...month, version: 2, said });
  await service.months.filed({ ...month, version: 2, incomingNumber: '2200И0012345', filedOn: sofiaDay(between.toISOString()), said });
  await service.months.accepted({ ...month, said });
}

/** Of today: an order that may be recorded or not, a webhook that can't be read, and one of a copy of the site. */
async function leaveDoubts(run: DemoRun, linden: DemoConnection): Promise<void> {
  // A minute ago: an hour ago may have been in the month that is to be filed.
  const now = Date.now() + HOUR_MS - 3 * 60_000;
  await loseReply(run, {
    ...{ connectionId: linden.connection.id, orderId: LINDEN_TODAY },
    send: async () => void (await send(run, linden, paid(now, { id: Number(LINDEN_TODAY), ...baskets.lantern }))),
  });
  await send(run, linden, lindenUnreadable(now));
  await send(run, { ...linden, store: { ...linden.store, store: LINDEN_COPY } }, paid(now, { id: 4304, ...baskets.mixed }));
}

/** The two months before the one of `now`, a moment near the end of the first, and one at which orders of both can still be recorded. */
type PastMonths = { filed: string; last: string; inside: Date; between: Date };

const HOUR_MS = 3_600_000;

function pastMonths(now: number): PastMonths {
  const last = addMonths(monthOf(sofiaDay(new Date(now).toISOString())), -1);
  const filed = addMonths(last, -1);
  return { filed, last, inside: new Date(`${filed}-27T10:00:00Z`), between: new Date(`${last}-09T10:00:00Z`) };
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
function lindenStore({ filed }: PastMonths): DemoStore {
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
      quietSeconds: 0,
    },
    stories: [],
  };
}

/** What it sold in the first of both months, as its webhooks told it then. */
function lindenFirst({ filed }: PastMonths): StoryWebhook[] {
  return webhooksOf([
    { id: 4102, at: `${filed}-04T08:10:00Z`, ...baskets.candles },
    { id: 4103, at: `${filed}-13T15:42:00Z`, ...baskets.mixed },
    { id: 4104, at: `${filed}-25T11:05:00Z`, ...baskets.lantern, method: 'econt_pay' },
  ]);
}

/** What it sold in the second one, and an order of the first that came late. */
function lindenSecond({ filed, last }: PastMonths): StoryWebhook[] {
  return webhooksOf([
    { id: 4105, at: `${filed}-29T19:20:00Z`, ...baskets.candles },
    { id: 4202, at: `${last}-02T07:31:00Z`, ...baskets.mixed },
    { id: 4203, at: `${last}-03T12:18:00Z`, ...baskets.candles },
    { id: 4204, at: `${last}-05T16:54:00Z`, ...baskets.lantern },
    { id: 4205, at: `${last}-06T09:26:00Z`, ...baskets.candles, method: 'econt_pay' },
    { id: 4206, at: `${last}-08T18:03:00Z`, ...baskets.mixed },
  ]);
}

function webhooksOf(orders: readonly (Omit<WooBasket, 'id'> & { id: number; at: string })[]): StoryWebhook[] {
  return orders.map(({ at, ...basket }) => paid(Date.parse(at) + HOUR_MS, basket));
}

/** The order that it sold just now. */
const LINDEN_TODAY = '4302';

/** What nobody understands, though it is signed: an order without its lines and total. */
function lindenUnreadable(now: number): StoryWebhook {
  const { line_items: _lines, total: _total, ...rest } = wooOrder(demoTime(now), 3, { id: 4303, ...baskets.candles });
  return first('order.updated', rest);
}

/** Where somebody tries things out, with the secret of the shop. */
const LINDEN_COPY = 'https://staging.lipa.example';

/** Paid an hour before `at`, as the times of stories are reckoned. */
function paid(at: number, basket: WooBasket): StoryWebhook {
  return first('order.created', wooOrder(demoTime(at), 2, basket));
}

/** The service does what it is sent, and the worker never hears of it; nor may it send it again. */
const losing: NonNullable<SubmitterOptions['between']> = (gateway) => ({
  ...gateway,
  honoursIdempotency: async () => false,
  async send(...request) {
    await gateway.send(...request);
    return { kind: 'lost', error: 'the connection was closed before the answer came' };
  },
});

const LOOK_MS = 50;

type Sent = { connectionId: string; orderId: string; send(): Promise<void> };

/**
 * An order whose reply is lost, so that nobody knows whether it is recorded. Our own service takes the same request twice and never leaves this doubt: one
 * attempt is made by a worker that does not know so, while the others pause.
 */
async function loseReply({ world: { app, queues }, signal }: DemoRun, { connectionId, orderId, send }: Sent): Promise<void> {
  const submitter = createSubmitter({ core: app.core, queues, metrics: createMetrics(), embeddedUrl: async () => app.url, between: losing });
  await using _ = submitter;
  await queues.submissions.pause();
  try {
    await send();
    let order = await findOrder(app.core.pool, connectionId, orderId);
    while (order === null) {
      await sleep(LOOK_MS);
      stopIfAborted(signal);
      order = await findOrder(app.core.pool, connectionId, orderId);
    }
    await submitter.attempt({ orderId: order.id });
  } finally {
    await queues.submissions.resume();
  }
}
