import type { AccessToken, StoreAccess } from '../storefronts/contract.ts';
import type { Connection } from './connection.ts';
import type { SettingsInput } from './connection-settings.ts';

/** A person's word about the stores that the shop had before. `connectionId` null: there is only one that can be meant. */
export type StoreClaim = { is: 'same'; connectionId: string | null } | { is: 'new' };

/** What is known of a store when it is connected. */
export type GivenStore = {
  /** Only we name this store: any earlier one of the shop is the same. */
  ownShop: boolean;
  /** Hosts by which it is called, as `storeHost` writes them. */
  hosts: readonly string[];
  /** The platform's own id of it; null: not known. */
  identity: string | null;
  claim: StoreClaim | null;
};

export type NewConnection = GivenStore & {
  platform: string;
  name: string;
  secret: string;
  shopId: string;
  destinationId: string;
  /** Null: none were given; a store that comes back keeps its own. */
  settings: SettingsInput | null;
  access: StoreAccess | null;
  /** What its merchant granted to the app that `access` names: stored with the connection, or not at all. Absent: nothing. */
  granted?: AccessToken;
  /** Null: a delivery names it, or an earlier connection. */
  store: string | null;
  /** ISO instant: orders paid from then on are taken. Null: what the settings say, or from now. */
  recordFrom: string | null;
  /** On trial: nothing is submitted until somebody says from when on. */
  trial?: boolean;
  /** A merchant's way whose links stay, if the store comes back: it is he who brings it. Absent: all that showed the store end. */
  keepsWay?: string;
};

/** Orders paid in it are not taken. ISO instants. */
export type Gap = Connection['gaps'][number];

/**
 * The stores that a shop had before. same: it goes on as this connection; `gap`: the time that is left out because it was disconnected for long.
 * `endedWays`: so many merchants had links to it, which ended; absent: none. other: it begins now. undecided: the host of the first delivery says which.
 */
export type Earlier =
  | { is: 'none' }
  | { is: 'same'; earlier: Connection; gap: Gap | null; endedWays?: number }
  | { is: 'other' | 'undecided'; earlier: Connection };

/**
 * taken: the shop already has a live connection, with this id. unclear: the claim that it is an earlier store fits none of them, or several. barred: the app
 * by which the store came was removed, or has a live connection of this store already, of another shop: what a store grants to an app is one, not two.
 */
export type Opened = { connection: Connection; earlier: Earlier } | { taken: string } | { unclear: Connection[] } | { barred: 'app' | 'store' };
