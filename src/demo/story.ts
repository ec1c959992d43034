import type { KeptOrder } from '../bridge/ledger/orders/read-orders.ts';
import type { OrderState } from '../bridge/order/decisions/order-state.ts';
import type { StoredCode } from '../bridge/order/facts/failure.ts';
import { exactMoney, formatMoney, sum } from '../contract/money.ts';
import type { TaxRecord } from '../contract/record.ts';
import type { ReadOrder } from '../service/reading/read-orders.ts';

/** The platforms that the demo plays; a further storefront need not be among them. */
export type DemoPlatform = 'shopify' | 'woocommerce' | 'standard';

/** One webhook: `act` 1 is sent at once, `act` 2 when all of act 1 is recorded. `forged`: signed with a secret that is not the store's. */
export type StoryWebhook = { act: 1 | 2; topic: string; body: object; forged?: true };

/** How an order must end: its state in the ledger, and the total (decimal text) recorded at the compliance service; null: none is recorded. */
export type Ending = { state: OrderState | 'refused'; code?: StoredCode; total: string | null };

/** Sent at once. */
export const now = (topic: string, body: object): StoryWebhook => ({ act: 1, topic, body });

/** Sent when all of the first act is recorded. */
export const later = (topic: string, body: object): StoryWebhook => ({ act: 2, topic, body });

export const recorded = (total: string): Ending => ({ state: 'recorded', total });

/** The webhooks of one order of the demo, and its end. */
export type Story = {
  platform: DemoPlatform;
  orderId: string;
  number: string;
  /** For the table, in a few words. */
  what: string;
  webhooks: readonly StoryWebhook[];
  /** Refunds as the store's REST API lists them, with the lines that webhooks leave out. */
  storeRefunds?: readonly object[];
  ends: Ending;
};

/** How an order ended, and its faults; none: it ended as it should. */
export type StoryResult = { ended: Ending; faults: string[] };

type Recorded = Pick<ReadOrder, 'id' | 'internalId' | 'total'>;
type Ledger = Pick<KeptOrder, 'state' | 'review' | 'complianceId' | 'record'>;

/** Compares the ledger, the compliance service and the story, to the cent. `order` null: it is not in the ledger. */
export function evaluate({ orderId, ends }: Pick<Story, 'orderId' | 'ends'>, order: Ledger | null, current: readonly Recorded[]): StoryResult {
  const records = current.filter(({ internalId }) => internalId === orderId);
  const [record] = records;
  const ended: Ending = {
    state: order?.state ?? 'refused',
    ...(order?.review ? { code: order.review.code } : {}),
    total: record?.total.toFixed(2) ?? null,
  };
  const faults = [
    ...(ended.state === ends.state && ended.code === ends.code ? [] : [`its state is ${stateText(ended)}, and should be ${stateText(ends)}`]),
    ...(ended.total === ends.total ? [] : [`${ended.total ?? 'nothing'} is recorded, and should be ${ends.total ?? 'nothing'}`]),
    ...(records.length > 1 ? [`it is recorded ${records.length} times`] : []),
    ...ledgerFaults(order, record),
  ];
  return { ended, faults };
}

export function stateText({ state, code }: Ending): string {
  return code === undefined ? state : `${state}: ${code}`;
}

function ledgerFaults(order: Ledger | null, record: Recorded | undefined): string[] {
  const known = order?.complianceId ?? null;
  const recorded = record?.id ?? null;
  if (known !== recorded) return [`the ledger knows the record ${known ?? 'none'}, the compliance service ${recorded ?? 'none'}`];
  const inLedger = order?.record ? totalOf(order.record) : null;
  const total = record?.total.toFixed(2) ?? null;
  return inLedger === total ? [] : [`the ledger says ${inLedger}, the compliance service ${total}`];
}

/** The sum over lines of price × quantity − discount. */
function totalOf({ lineItems, precision }: TaxRecord): string {
  const minor = (text: string) => exactMoney(text, precision);
  return formatMoney(sum(lineItems.map(({ price, quantity, discount }) => minor(price) * BigInt(quantity) - minor(discount))), precision);
}
