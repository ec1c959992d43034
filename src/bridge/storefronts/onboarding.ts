import type { OrderNews } from '../order/facts.ts';
import type { StoreAccess, StoreMeans } from './contract.ts';

/** How a merchant connects a store of a platform by pages. */
export type StoreOnboarding = {
  /** Looks at the address that somebody typed, without keys; never throws. Absent: there is no address that could be looked at. */
  look?(typed: string, means: StoreMeans): Promise<Looked>;
  /** The store hands its keys over by itself. Absent: they are typed, or there are none. */
  handOver?: HandOver;
  /** What the store knows of itself, and its last orders. Throws as `StoreApi.complete`. */
  survey?(access: StoreAccess, means: StoreMeans, asked: { since: string; most: number }): Promise<Survey>;
  /** Saves an order as it is, so that the store sends its webhook; returns its number, null: there is none. Throws as `StoreApi.complete`. */
  touch?(access: StoreAccess, means: StoreMeans): Promise<string | null>;
  /** Code that sends an order, for a shop of its own. */
  snippets?(given: { address: string; secret: string; order: unknown }): readonly { language: string; code: string }[];
};

export type HandOver = {
  /** Where the browser is sent. The store brings `state` back, and posts its keys to `callbackUrl`. */
  address(given: { url: string; state: string; returnUrl: string; callbackUrl: string }): string;
  /** What a store posted to the callback; null: it is not that. */
  read(body: unknown): { state: string; credentials: Record<string, string>; mayWrite: boolean } | null;
};

/** What may be wrong with an address. */
export type LookCode = 'not-an-address' | 'not-https' | 'unreachable' | 'no-wordpress' | 'no-woocommerce' | 'firewall' | 'maintenance' | 'plain-permalinks';

export type LookProblem = { code: LookCode; data?: Record<string, string> };

/** `url`: where its API is called; `home`: as the store calls itself. */
export type Looked =
  | { ok: true; url: string; home: string; name: string | null; permalinks: 'pretty' | 'index' | 'plain'; canHandOver: boolean; notes: LookProblem[] }
  | { ok: false; problem: LookProblem };

/** What a store knows of itself; null: it did not say. `rates`: percent as "20". `statuses`: those beyond the platform's own. `orders`: the newest first. */
export type Survey = {
  store: {
    name: string | null;
    currency: string | null;
    decimals: number | null;
    pricesIncludeTax: boolean | null;
    roundAtSubtotal: boolean | null;
    version: string | null;
  };
  rates: { rate: string; name: string; country: string }[];
  gateways: { id: string; title: string; enabled: boolean }[];
  statuses: { id: string; name: string }[];
  orders: OrderNews[];
};
