import type { Dice } from '../hostile/dice.ts';
import type { Delivered } from './flaky-network.ts';

/** Times in ms. */
export type Span = { from: number; to: number };

/** What must have become of an order in the end, as its shop itself knows it. Money in cents. */
export type ExpectedOrder = {
  orderId: string;
  /** Paid and not given back; null: nobody can say it from what the store says, so a person must be asked. */
  kept: number | null;
  /** Codes with which a person may be asked about it; empty: nobody needs to be. */
  mayAsk: readonly string[];
  /** When its shop saw the money, ms; null: never. */
  paidAt: number | null;
  /** When there was nothing of it to record between: it was given back or off, and came back later. */
  offs?: readonly Span[];
  /** Its last change is told by no list of changes: the store deleted it, or a refund of it, without a trace. */
  isSilent: boolean;
  /** The store has deleted it for good. */
  isGone: boolean;
  /** Some of its money went back before it was gone, and perhaps nobody could read all of that in time: what is known of it counts. */
  isUnsure: boolean;
};

/** What a merchant says of orders that are off though their money did not go back: orderbridge's setting `removeWithoutRefund`. */
export type OffPolicy = 'review' | 'remove';

/** A store that lives: things happen in it, its webhooks tell of them over a network of ours, and it knows what must be recorded in the end. */
export type LivingShop = AsyncDisposable & {
  platform: string;
  /** Where its API really is; the program calls it through the front. */
  apiUrl: string;
  /** The secret that signs its webhooks. */
  secret: string;
  /** From now on its API is called by this address. Flags of `connect`, for its API. */
  openAt(frontUrl: string): string[];
  /** Its webhooks go there from now on. */
  subscribe(webhookUrl: string): void;
  /** Is this request the page of a sync run? */
  isPage(request: { path: string; body: string }): boolean;
  bought(): number;
  /** Somebody buys; the order's id. */
  buy(dice: Dice): string;
  /** Something else happens, to one order or dozens: what, in words, with ids; null: there is nothing that it could happen to. */
  happens(dice: Dice): string | null;
  /** A webhook is disabled by the store, or those that are disabled are made active by a person. */
  meddles(dice: Dice): string;
  /** Sends the webhooks that wait, sometimes in another order. */
  sendWebhooks(deliver: (webhook: Delivered) => Promise<number | null>, dice: Dice): Promise<void>;
  expected(policy: OffPolicy): ExpectedOrder[];
};
