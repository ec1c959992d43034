/** What a storefront can do for a merchant who connects a store by themselves, so that no page names a platform. */
import type { LocalizedText } from '../../contract/messages.ts';
import type { OrderNews } from '../order/facts/facts.ts';
import type { StoreAccess, StoreMeans } from './contract.ts';

/** What keeps a store from being connected by this address or key; each has words with a remedy. `shop.old` has the data `needed`, and `version` if it is known; `scope.missing` and `grant.less` have `needed`; `address.other` has `to`, what the right one looks like. */
export type StoreProblemCode =
  | 'address.invalid'
  | 'address.private'
  | 'address.unknown'
  | 'https.missing'
  | 'certificate'
  | 'unreachable'
  | 'slow'
  | 'cut-off'
  | 'redirects.loop'
  | 'redirects.api'
  | 'locked'
  | 'firewall'
  | 'challenge'
  | 'maintenance'
  | 'broken'
  | 'site.other'
  | 'shop.missing'
  | 'shop.old'
  | 'rest.closed'
  | 'rest.html'
  | 'keys.refused'
  | 'keys.unseen'
  | 'keys.user'
  | 'grant.ended'
  | 'grant.less'
  | 'app.refused'
  | 'address.other'
  | 'shop.frozen'
  | 'shop.locked'
  | 'throttled'
  | 'scope.missing'
  | 'data.denied';

/**
 * What the merchant should know of a store that can be connected. `redirected`: another address than the typed one is used. `scopes.fewer`: `to` names what was
 * asked for and not granted.
 */
export type StoreHint = 'redirected' | 'permalinks.plain' | 'handover.blocked' | 'http' | 'header.stripped' | 'buyers.hidden' | 'scopes.fewer';

export type StoreProblem<Code extends string = StoreProblemCode> = { code: Code; data?: Readonly<Record<string, string>> };

/** `url`: where the API is called; `home`: as the store calls itself. */
export type HomepageInspection =
  | {
      ok: true;
      url: string;
      home: string;
      name: string | null;
      permalinks: 'pretty' | 'index' | 'plain';
      canHandOver: boolean;
      notes: readonly StoreProblem<StoreHint>[];
    }
  | { ok: false; problem: StoreProblem };

/** Whether keys work, and whether they may make webhooks. `version`: of what the store runs on, in words; null: it does not say. */
export type VerifiedCredentials =
  | { ok: true; mayWrite: boolean; version: string | null; notes: readonly StoreProblem<StoreHint>[] }
  | { ok: false; problem: StoreProblem };

/** What a store posted to the callback. */
export type HandedOver = { state: string; credentials: Readonly<Record<string, string>>; mayWrite: boolean };

/** What a store knows of itself; null: it did not say. `rates`: percent as "20". `statuses`: those beyond the platform's own. `orders`: the newest first. */
export type StoreInspection = {
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

/** One way to keys that may write. `parts`: the credentials that a person types then. */
export type KeyWay = { id: string; title: LocalizedText; steps: readonly LocalizedText[]; parts: readonly string[] };

/** What a person does in the store, step by step. */
export type StoreGuide = {
  /** Each of them is enough; the first fits most. */
  ways: readonly [KeyWay, ...KeyWay[]];
  /** What the store calls each part of a key, by the credential's name. */
  keyParts: Readonly<Record<string, LocalizedText>>;
  /** To make the webhooks by hand, at this address. */
  webhooks(given: { address: string; topics: readonly string[] }): readonly LocalizedText[];
};

/** `fileName`: what it is saved as. `run`: the line that starts it. */
export type Snippet = { language: string; fileName: string; run: string; code: string };

export type StoreOnboarding = {
  /** As its makers write it. */
  title: string;
  /** What the address is called with which a merchant begins, where it is not that of their customers. */
  addressHint?: LocalizedText;
  /** Looks at the address that somebody typed, without keys; throws only what is a defect. Absent: the store has no address that could be looked at. */
  inspectHomepage?(typed: string, means: StoreMeans): Promise<HomepageInspection>;
  /** Tries keys by calling the store. Throws only what is a defect. */
  verifyCredentials?(access: StoreAccess, means: StoreMeans): Promise<VerifiedCredentials>;
  /** The secret that the store's webhooks are signed with, where it comes with the keys; null: with these it does not. */
  secretIn?(access: StoreAccess): string | null;
  /** The store hands its keys over by itself. */
  handOver?: {
    /** Where the browser is sent. The addresses have no percent escapes: stores decode them twice. */
    address(given: { url: string; state: string; returnUrl: string; callbackUrl: string }): string;
    /** What a store posted to the callback; null: it is not that. */
    read(body: unknown): HandedOver | null;
  };
  /** What the store knows of itself, and its last orders. Throws as `StoreApi.complete`. */
  inspectStore?(access: StoreAccess, means: StoreMeans, asked: { since: string; most: number }): Promise<StoreInspection>;
  /** The days that a merchant's last orders are taken of; absent: 30. */
  inspectionDays?: number;
  /** Saves an order as it is, so that the store sends its webhook: what people call the order; null: there is none. Throws as `StoreApi.complete`. */
  resave?(access: StoreAccess, means: StoreMeans): Promise<string | null>;
  guide?: StoreGuide;
  /** Code that sends an order that is never recorded, for a shop of its own. `id`: of that order. `now`: ms since 1970. */
  snippets?(given: { address: string; secret: string; id: string; now: number }): readonly Snippet[];
  /** Address and secret in one text, which a module in the shop takes. */
  connectionCode?(given: { address: string; secret: string }): string;
};
