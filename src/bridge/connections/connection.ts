import type { Terms } from '../order/facts/settings.ts';
import type { StoreAccess, Storefront } from '../storefronts/contract.ts';
import type { StoreDenial } from '../storefronts/store-failure.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/** A secret and until when it is live; null: for good. `repairing`: made for webhooks that are created anew. */
export type LiveSecret = { secret: string; until: string | null; repairing?: true };

/** A host that deliveries named, or a person. quarantined: a person is asked whose it is. `dismissed`: how many of its deliveries were not kept. */
export type StoreHost = { host: string; ownership: 'quarantined' | 'ours' | 'not-ours'; dismissed: number };

/** The warning that the store's API refuses its key. */
export const STORE_API_WARNING = 'store-api';

/** The warning that the platform does not take the id and secret of the app by which the store is connected. */
export const APP_WARNING = 'store-app';

/** The warnings that the store's API refuses us, by who can mend it; of a connection there is one of them at most. */
const apiWarnings: Readonly<Record<StoreDenial, string>> = {
  key: STORE_API_WARNING,
  frozen: 'store-frozen',
  locked: 'store-locked',
  blocked: 'store-blocked',
  app: APP_WARNING,
};
const OTHER_API_WARNING = 'store-refuses';
export const API_WARNINGS: readonly string[] = [...Object.values(apiWarnings), OTHER_API_WARNING];

export function apiWarningOf(denial: StoreDenial | null): string {
  return denial === null ? OTHER_API_WARNING : apiWarnings[denial];
}

/** Why the store's API refuses us, in words for operators; null: it does not. */
export function apiRefusal({ warnings }: { warnings: Readonly<Record<string, string>> }): string | null {
  return API_WARNINGS.map((kind) => warnings[kind]).find((words) => words !== undefined) ?? null;
}

/** The warning that notes are off because the store’s key may not write them; switching them on again ends it. */
export const NOTES_WARNING = 'store-notes';

/** The warning about what did not work when the access to the store's API was tried; a call that works ends it. */
export const ACCESS_WARNING = 'store-access';

/** The warning that the compliance service did not know the shop; `orderbridge doctor` asks again. */
export const SHOP_WARNING = 'compliance-shop';

/** The warning that the store’s app may no longer read what is needed. */
export const SCOPES_WARNING = 'app-scopes';

/** The warnings that the platform speaks another version of its API than is read here, by what bore it. */
export const VERSION_WARNINGS = { answers: 'api-version', webhooks: 'webhook-version' } as const;

/** The warning that a signed webhook came under a topic, or from a host, that it does not fit; a new secret ends it. */
export const TOPIC_MISMATCH_WARNING = 'topic-mismatch';

/** One merchant's store connected to one shop of the compliance service. */
export type Connection = {
  id: string;
  /** Name of its storefront in the registry. */
  platform: string;
  name: string;
  /** How the platform names the store; null until the first delivery names it. */
  store: string | null;
  shopId: string;
  destinationId: string;
  secrets: LiveSecret[];
  access: StoreAccess | null;
  /** The app that `access` names, even where that does not open; null: it names none. */
  app: string | null;
  /** Why secrets or access are missing here, for people; absent: all of them open. */
  unopened?: string[];
  settings: ConnectionSettings;
  /** ISO instant. */
  recordFrom: string;
  /** On trial since: its webhooks are taken and kept, and nothing is submitted. ISO instant; null: it records. */
  trialSince: string | null;
  /** On trial: until when it recorded, if it was disconnected and came back on trial. ISO instant; null: it never recorded, or is not on trial. */
  recordedUntil: string | null;
  /** Hosts that deliveries named, beside the one in `store`. */
  hosts: StoreHost[];
  /** The platform's own id of the store, whatever its address; null: not known. */
  storeIdentity: string | null;
  /** When it was disconnected: orders paid then are not taken. ISO instants. */
  gaps: { from: string; until: string }[];
  /** A disconnected connection that this one may continue: the host of the first delivery decides. */
  predecessor: string | null;
  /** Declared to be another store than those before it, whatever its deliveries name. */
  isApart: boolean;
  warnings: Record<string, string>;
  /** Deliveries that were answered 429, and when the last was; null: none was. */
  throttled: { count: number; last: string | null };
  createdAt: string;
  closedAt: string | null;
};

/** The secrets that may verify a webhook at this moment. */
export function liveSecrets({ secrets }: { secrets: readonly LiveSecret[] }, now: number): string[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now).map(({ secret }) => secret);
}

/** The app that gives a store's keys, as they name it; null: they are its own. */
export function appOf(access: StoreAccess | null): string | null {
  return access?.['app'] ?? null;
}

/** What a person may call an app: it is part of addresses. The table of apps holds it, too. */
const APP_ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export function isAppId(text: string): boolean {
  return APP_ID.test(text);
}

/** What decisions about the orders of a connection depend on. */
export function termsOf(
  { destinationId, recordFrom, trialSince, gaps, settings }: Connection,
  { gateways, transactionComesLater, refundsVanish }: Storefront,
): Terms {
  const terms = { destinationId, recordFrom, onTrial: trialSince !== null, gaps, settings };
  return { ...terms, gateways, transactionComesLater, refundsVanish: refundsVanish === true };
}
