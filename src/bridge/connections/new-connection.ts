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
  /** ISO instant: what changed in the store from then on is read as soon as it can be. Absent: since the beginning of last month, as always. */
  readFrom?: string | undefined;
  /** On trial: nothing is submitted until somebody says from when on. */
  trial?: boolean;
  /** A merchant's way whose links stay, if the store comes back: it is they who bring it. Absent: all that showed the store end. */
  keepsWay?: string;
};

/** Orders paid in it are not taken. ISO instants. */
type Gap = Connection['gaps'][number];

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
export type OpenedConnection = { connection: Connection; earlier: Earlier } | { taken: string } | { unclear: Connection[] } | { barred: 'app' | 'store' };

const SHORT_MS = 24 * 60 * 60 * 1000;

/** From when on orders are taken, but for the gaps. */
type Span = Pick<Connection, 'recordFrom' | 'gaps'>;

type Return = {
  /** When it was connected again. ISO instant. */
  at: string;
  /** Orders paid from then on are taken whatever happened meanwhile; null: no word about it. */
  from: string | null;
};

/** How a store that comes back goes on: as if nothing had happened after at most a day, else without what was paid meanwhile. `gap`: what is left out. */
export function goOn({ recordFrom, gaps, closedAt }: Span & Pick<Connection, 'closedAt'>, { at, from }: Return): Span & { gap: Gap | null } {
  const meanwhile: Gap[] = closedAt === null || wasShort({ closedAt }, at) ? [] : [{ from: closedAt, until: at }];
  const span = takeFrom({ recordFrom, gaps: [...gaps, ...meanwhile] }, from);
  return { ...span, gap: meanwhile.length === 0 ? null : (span.gaps.find(({ from: start }) => start === closedAt) ?? null) };
}

/** Was it disconnected, and for so short that at `at` it would go on as if nothing had happened? */
export function wasShort({ closedAt }: Pick<Connection, 'closedAt'>, at: string): boolean {
  return closedAt !== null && Date.parse(at) - Date.parse(closedAt) <= SHORT_MS;
}

/** Takes orders paid from `from` on, beside those that are taken already. */
export function takeFrom({ recordFrom, gaps }: Span, from: string | null): Span {
  if (from === null) return { recordFrom, gaps };
  const cut = gaps.filter((gap) => isBefore(gap.from, from)).map((gap) => (isBefore(from, gap.until) ? { ...gap, until: from } : gap));
  return { recordFrom: isBefore(from, recordFrom) ? from : recordFrom, gaps: cut };
}

/**
 * The start of a store on trial: orders paid from `from` on are taken, and of one that recorded before its trial those from until then, too, so that
 * what waited when it was disconnected is not lost.
 */
export function startFrom({ recordFrom, gaps, recordedUntil }: Span & Pick<Connection, 'recordedUntil'>, from: string): Span {
  if (recordedUntil === null) return takeFrom({ recordFrom: from, gaps }, from);
  // Later gaps are in this one.
  const earlier = gaps.filter((gap) => isBefore(gap.from, recordedUntil));
  return takeFrom({ recordFrom, gaps: [...earlier, { from: recordedUntil, until: from }] }, from);
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}
