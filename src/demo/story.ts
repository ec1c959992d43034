import type { StoredCode } from '../bridge/order/failure.ts';
import type { OrderState } from '../bridge/order/order-state.ts';

/** The platforms that the demo plays; a further storefront need not be among them. */
export type DemoPlatform = 'shopify' | 'woocommerce' | 'standard';

/** One webhook: `act` 1 is sent at once, `act` 2 when all of act 1 is recorded. `forged`: signed with a secret that is not the store's. */
export type StoryWebhook = { act: 1 | 2; topic: string; body: object; forged?: true };

/** How an order must end: its state in the ledger, and the total (decimal text) recorded at the compliance service; null: none is recorded. */
export type Ending = { state: OrderState | 'refused'; code?: StoredCode; total: string | null };

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
