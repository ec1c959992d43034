import type { LocalizedText } from '../../contract/messages.ts';
import type { OrderNews } from '../order/facts/facts.ts';
import type { FailureCode, Problem } from '../order/facts/failure.ts';
import type { Missing as MissingFacts } from '../order/facts/missing.ts';
import type { Gateways } from '../order/facts/settings.ts';
import type { AppClient, AppGrant } from './app-grant.ts';
import type { StoreOnboarding } from './onboarding.ts';
import type { StoreApp } from './store-app.ts';
import type { StoreReader } from './store-reader.ts';

/** One webhook request, its body still the raw bytes. Header names are lower case. `beganAt`: when its request began, ms since 1970. */
export type Delivery = { headers: ReadonlyMap<string, string>; body: Buffer; beganAt?: number };

export type VerifyResult = { trusted: true } | { trusted: false; code: Extract<FailureCode, `signature.${string}`> };

/** What the headers say before the body is read. */
export type Envelope = {
  /** The platform's event name ("orders/paid"); '' where the body names it. */
  topic: string;
  /** The platform's id of the delivery, for people; never used to drop anything. Null if absent. */
  deliveryId: string | null;
  /** The store that claims to send (shop domain, home URL); null where the body or the connection alone says it. */
  store: string | null;
  /** When it was sent, as a signed header or else its arrival says; ISO 8601. Absent: not known. */
  sentAt?: string;
  /** The version of the API in which it is written. Absent: its platform says none. */
  apiVersion?: string;
  /** A module of ours in the store sends it in place of the store's webhooks. */
  isByModule?: true;
};

/** Erasure and export requests of a platform's privacy rules. */
export type PrivacyRequest =
  | { action: 'redact-orders'; orderIds: string[] }
  | { action: 'redact-shop' }
  | { action: 'export'; orderIds: string[]; requestId: string };

/** What a verified body means. Never an exception: a shape that is not known is `unreadable`, with every problem listed. */
export type Normalized =
  | { kind: 'order'; news: OrderNews }
  /** An unproven word that a refund was deleted, which does not name its order. */
  | { kind: 'refund-deleted'; refundId: string }
  | { kind: 'ignored'; why: string }
  | Notice;

/** News of the connection, or what can't be read. `store`: the store that the signed body names; absent where no body does. */
export type Notice =
  /**
   * A warning to the merchant about the connection itself, e.g. a store that delivers signed error bodies. `isTopicMismatch`: the signed body does not fit its
   * topic (see `topic-mismatch`). `isPrivate`: its body must not be kept.
   */
  | { kind: 'warning'; warning: string; isTopicMismatch?: true; isPrivate?: true }
  | { kind: 'closed'; store?: string }
  /** What the store's app may do has changed. `warning`: what it can't do any more, to the merchant; null: it may all that is needed. */
  | { kind: 'granted'; warning: string | null }
  | { kind: 'privacy'; request: PrivacyRequest; store?: string }
  | { kind: 'unreadable'; problems: [Problem, ...Problem[]] };

/** Where a store's API is, and what its storefront named in `credentials`: as it was given to `connect`, and is kept sealed. */
export type StoreAccess = { readonly url: string; readonly [credential: string]: string };

/** One request to a store. `authorization`: the header of that name; absent: the query, `headers` or the body carry the key. */
export type StoreRequest = {
  url: string;
  authorization?: string;
  /** GET if absent. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal;
};

/**
 * `location`: where a redirect leads, as the store wrote it. `retryAfterMs`: the wait that its `Retry-After` names. `body`: null if it is not JSON.
 * `totalPages`: how many pages a list has, by its `X-WP-TotalPages`. `link`: its header `Link`. `apiVersion`: in which
 * version of its API it answered. `isChallenge`: a guard on the way wants to see a browser.
 */
export type StoreAnswer = {
  status: number;
  body: unknown;
  retryAfterMs?: number;
  location?: string;
  totalPages?: number;
  link?: string;
  apiVersion?: string;
  isChallenge?: true;
};

/**
 * Sends a request to a merchant's address and reads JSON: public addresses only, bounded in time and size; no redirects.
 * Answers any status; throws `Failure('storefront.unreachable')`, a `NoStoreAnswer`, if there was no answer, or `signal` aborts.
 */
export type FetchJson = (request: StoreRequest) => Promise<StoreAnswer>;

/** What the options of `connect` say of a platform's stores. */
export type PlatformOptions = Pick<Storefront, 'nameHint'> & { api?: Pick<StoreApi, 'words' | 'credentials' | 'credentialSets'> };

/** Fetches from a store's API what its webhooks leave out, and reads it as a second source. */
export type StoreApi = StoreReader & {
  /** What the API is used for, and what it needs: ends the help of `connect --store-url`. */
  words: string;
  /** What may be given together with the address, all of it secret: `consumerKey` is the option `--consumer-key <key>`. `bg`: the same as `words`, for pages. */
  credentials: Readonly<Record<string, { placeholder: string; words: string; bg: string }>>;
  /** Which credentials go together, where one of several sets is enough; absent: all of them. */
  credentialSets?: readonly (readonly string[])[];
  /** Its news is merged like any other; throws `Failure('storefront.unreachable')`, or `storefront.refused` if the key is refused, to be retried. */
  complete(access: StoreAccess, missing: MissingOfOrder, means: StoreMeans): Promise<OrderNews>;
  /** The platform's own id of the store, which a move to another address does not change; null: it does not say it. Throws as `complete`. */
  identify?(access: StoreAccess, means: StoreMeans): Promise<string | null>;
  /** One cheap call, which works for as long as the store lets us in: resolves then, and throws as `complete` otherwise. Absent: no store says that it does not. */
  letsIn?(access: StoreAccess, means: StoreMeans): Promise<void>;
  /**
   * Renews what the merchant granted to an app, so that it does not lapse while nothing is read: `token` is the known one, and nothing is done if
   * another one is known since. Absent: no access to its stores lapses so. Throws as `complete`.
   */
  renewGrant?(access: StoreAccess, means: StoreMeans, token: string): Promise<void>;
  /** Absent: we ask for no right to write them. */
  orderNotes?: OrderNotes;
};

/** Notes of people at an order in the store, which no buyer sees. Both throw as `StoreApi.complete`. */
export type OrderNotes = {
  /** Has the order one with these words? Null: the store has no such order. */
  has(access: StoreAccess, sought: { orderId: string; words: string }, means: StoreMeans): Promise<boolean | null>;
  /** `gone`: the store has no such order. `refused`: we may read and not write, in words for operators. */
  write(access: StoreAccess, note: { orderId: string; text: string }, means: StoreMeans): Promise<'written' | 'gone' | { refused: string }>;
};

/** How a store's API is called, and when. */
export type StoreMeans = {
  fetchJson: FetchJson;
  /** ms since 1970 */
  now: number;
  /** The newest secret of the connection, for platforms whose requests are signed with it. */
  secret?: string;
  /** Absent: a token is made for this call alone. */
  tokens?: AccessTokens;
  /** The app to which the merchant granted the access, with the newest of its live secrets. Absent: it came otherwise, or the app is gone. */
  app?: AppClient;
  /** When the call must end, for what waits between its requests; `fetchJson` heeds it by itself. */
  signal?: AbortSignal;
};

/**
 * An access token that expires. ISO instants; null: it does not. `refreshToken`: what it can be renewed with, where the platform gives one, and until when.
 * `earlierToken`: the refresh token that made this one, which is usable for as long as this one's is not used.
 */
export type AccessToken = { token: string; expiresAt: string | null; refreshToken?: string; earlierToken?: string };

/** The access token of one connection, made by one process at a time, and kept sealed. */
export type AccessTokens = {
  /** The known token, or a new one made by `make`, which gets the old one, if the known one is `refused`, expired or about to be. */
  token(make: (before: AccessToken | null) => Promise<AccessToken>, refused?: string): Promise<string>;
};

/** What must still be fetched of one order; `orderId`: the platform's own id. */
export type MissingOfOrder = MissingFacts & { orderId: string };

/** Where an app's configuration leads: to begin an installation, after its approval, and with the webhooks of all its stores. */
export type AppAddresses = { install: string; callback: string; webhooks: string };

/**
 * One address for every store of an app: deliveries are signed with the app's secret, and their envelope names the store. Apps are kept in the ledger
 * (`POST /webhooks/{name}/app/{app}`); the secret of one comes from this environment variable (`src/config/environment.ts`, `POST /webhooks/{name}`).
 */
export type AppWide = {
  secretVariable: `${string}_APP_SECRET`;
  /** What a merchant is asked for if nobody says otherwise. */
  scopes: readonly string[];
  /** Why stores could not be connected by such an app; null: they can. */
  appProblem(app: Pick<StoreApp, 'clientId' | 'scopes'>): string | null;
  /** The topics that this file subscribes to, for all stores of an app of this kind. */
  configured(kind: StoreApp['kind']): readonly string[];
  /** The file by which the platform's own tools configure the app. */
  configuration(app: StoreApp, addresses: AppAddresses): string;
};

/** What a test order is made of. `id`: digits that no order of the store has. `now`: ms since 1970. `signedAt`: if it is sent later. `order`: a body to send as it is, in place of one that is made up. */
export type TestOrder = { id: string; now: number; signedAt?: number; secret: string; store: string | null; order?: unknown };

/** A body that is to be sent as a store sends it. `topic`: '' where the body names it. `id`: of the delivery. `now`: ms since 1970. */
export type Unsigned = { topic: string; id: string; store: string | null; secret: string; now: number; body: Buffer };

export type Sample = (order: TestOrder) => readonly (readonly Delivery[])[];

/** Sentences about what remains in a store that was disconnected, with where a person deletes it. */
export type Remains = {
  /** Of webhooks that could not be removed, or are not known; `path`: what their address ends with. */
  webhooks(path: string): LocalizedText;
  /** Of what lets us in. */
  key(access: StoreAccess): LocalizedText;
};

export type Storefront = {
  /** Its name in the registry: part of its addresses, and of what the ledger stores. */
  name: string;
  /** Topics to subscribe to, for `connect` and the docs. */
  topics: readonly string[];
  /** More topics, which tell what those leave out. */
  alsoTopics?: readonly string[];
  /** Online processors that the merchant need not map: `wellKnownGateways`, and ids of the platform's own. */
  gateways: Gateways;
  /** True where the processor's reference is never in the order, but comes by later news: its record waits for it (`transactionWaitSeconds`). */
  transactionComesLater: boolean;
  /** A refund can be deleted while the order's time of change stands still: then its state is read from its API, or a person is asked. */
  refundsVanish?: true;
  /** False: no delivery names its store, which keeps the name of its first connection. */
  deliveriesNameStore: boolean;
  /** The name by which deliveries will call the store, if the options of `connect` contain it. Absent or null: the first delivery does. */
  storeNameOf?(given: { name: string; url: string | null }): string | null;
  /** The host that deliveries name for a store of this name, as `storeHost` writes it; null: none names its store so. Absent: `storeHost`. */
  hostOf?(store: string): string | null;
  /** Ends the help of `connect --name`, where not any name will do. */
  nameHint?: string;
  /** Absent: each store has an address of its own, and no other. */
  appWide?: AppWide;
  envelope(headers: ReadonlyMap<string, string>): Envelope;
  /** The platform's headers that are kept for people: topic, ids, times, version, host. Never one that could hold a key or a signature. */
  keptHeaders: readonly string[];
  /** The signatures that the headers claim, of all kinds and versions, before the body is read; null: a header of the signature is missing. */
  signatures(headers: ReadonlyMap<string, string>): readonly string[] | null;
  /** Its senders repeat a refused delivery for as long as it takes: then they may be asked to come slower (429). */
  repeats?: true;
  /** True for requests of at most 64 bytes that are acknowledged unsigned (WooCommerce's creation ping). */
  isPing?(delivery: Delivery): boolean;
  /** Constant time; any live secret is enough. `now` in ms since 1970. */
  verify(delivery: Delivery, secrets: readonly string[], now: number): VerifyResult;
  /**
   * The same of what a module in the store requests here beside its deliveries, which is signed as Standard Webhooks are, whatever its platform signs. Absent:
   * its stores have no such module.
   */
  verifyRequest?(request: Delivery, secrets: readonly string[], now: number): VerifyResult;
  /** The store that a trusted body names, where no header does. Pure, never throws; `body` as for `normalize`. */
  storeOf?(body: unknown): string | null;
  /** Pure: no clock, no I/O, never throws. `body` is parsed JSON whose unsafe integers are kept as text. */
  normalize(envelope: Envelope, body: unknown): Normalized;
  /** Rejects a secret that could never verify, with words that say what to do; null if it is fine. */
  secretProblem(secret: string): string | null;
  /** A new secret that its stores can be given; absent: they have one of their own, which a person copies. */
  newSecret?(): string;
  /** What the platform's own forms would make another one of this secret, in words that say which they leave alone; null: nothing. */
  secretAdvice?(secret: string): string | null;
  /** How a person subscribes `topics` at this address, for `connect`: lines, the first ones about an address that its stores can't call. */
  connectSteps?(address: string): readonly string[];
  /** The deliveries by which a store would tell of a small paid order, signed; absent: none can be made up. */
  testDeliveries?(order: TestOrder): readonly Delivery[];
  /** The same for a topic, by its name; what must have become of an order before comes first, in a list of its own. */
  samples?: Readonly<Record<string, Sample>>;
  /** With the headers of the platform, signed by this secret; absent: it can't be done here. */
  sign?(unsigned: Unsigned): Delivery;
  /** Versions of its API that are read here; calls ask for the first. Absent: it names none. */
  apiVersions?: readonly string[];
  /** Absent: its webhooks leave nothing out. */
  api?: StoreApi;
  /** How a merchant lets an app into their store by approving it there; absent: the platform has no such way, or it is not known here. */
  appGrant?: AppGrant;
  /** Absent: nothing remains in a store that was disconnected. */
  remains?: Remains;
  /** How a merchant connects a store by pages; absent: by command alone. */
  onboarding?: StoreOnboarding;
  /** Where its administration shows an order, for people; `url`: of its API, where that is known. Null: not known. Absent: the platform has no such page. */
  orderPage?(order: { store: string; url: string | null; orderId: string }): string | null;
  /** Is this status of an order one of the platform's own? Absent: it has no others. */
  knowsStatus?(status: string): boolean;
};

/** Storefronts by name. */
export type Storefronts = Readonly<Record<string, Storefront>>;
