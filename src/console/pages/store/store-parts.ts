import { ACCESS_WARNING, apiRefusal, type Connection } from '../../../bridge/connections/connection.ts';
import {
  MOST_COUNTED,
  openOrders,
  type StoreFigures,
  settingGaps,
  storeFigures,
  type ValueGap,
  valueGap,
} from '../../../bridge/ledger/connections/store-figures.ts';
import type { WatchState } from '../../../bridge/ledger/sync/watch-store.ts';
import { storefrontOf, storefronts } from '../../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../../contract/messages.ts';
import { remainsInStore } from '../../../operations/connections/disconnect-store.ts';
import { unknownConnection } from '../../../operations/connections/known-connection.ts';
import { type ConnectionReport, describeConnections } from '../../../operations/connections/list-connections.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { type Html, html } from '../../../web/html.ts';
import { idOf, type PageContext } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';

const MINUTE_MS = 60_000;

/** The store that an address is about; refuses one that is not known. */
export async function storeOf(context: PageContext): Promise<ShownStore> {
  return showStore(context.deps, await context.deps.stores.base(), idOf(context));
}

export function addressOf({ connectionId }: Pick<ShownStore, 'connectionId'>): string {
  return `/console/stores/${connectionId}`;
}

/** The way back above a page about a store. */
export function wayBack(store: ShownStore, { store: { back } }: Words): Html {
  return html`<p><a href="/console/stores">${back}</a> · <a href="${addressOf(store)}">${store.name}</a></p>
`;
}

/** How long until then: “23 h 12 min”. */
export function leftUntil(until: string, now: Date, { store: { left } }: Words): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(until) - now.getTime()) / MINUTE_MS));
  return left(Math.floor(minutes / 60), minutes % 60);
}

/** One store with everything that its health depends on, without secrets. */
export type ShownStore = ConnectionReport & {
  /** Its webhooks in the store as they were listed last; null: they are not listed. */
  watch: WatchState | null;
  /** Since when (ISO instant) it was not read by its API, though it should have been, as the health status says; null: it was. */
  overdue: string | null;
  /** Why the newest refused webhook was. */
  refusedCode: string | null;
  /** What its API is good for: whether webhooks and orders can be listed with a key, and whether it has one. `sendsTests`: a test order can be made up. */
  api: { listsWebhooks: boolean; listsOrders: boolean; sendsTests: boolean; takesKey: boolean; hasAccess: boolean; problem: string | null };
  gapsOfSettings: ValueGap[];
  open: { pending: number; review: number; unconfirmed: number };
  remarks: string[];
  /** Of a disconnected store: what is still in it, and where a person deletes it. */
  remains: LocalizedText[];
};

async function showStore(deps: Parameters<typeof describeConnections>[0] & { pool: Pool }, base: string, id: string): Promise<ShownStore> {
  const [[described], gaps, open] = await Promise.all([describeConnections(deps, base, id), settingGaps(deps.pool, id), openOrders(deps.pool, id)]);
  if (described === undefined) throw unknownConnection(id);
  const { connection, report, overdue, watch = null, refusedCode, remarks } = described;
  const remains = connection.closedAt === null ? [] : await remainsInStore(deps.pool, connection);
  return { ...report, overdue, watch, refusedCode, api: apiOf(connection), gapsOfSettings: gaps.map(valueGap), open, remarks, remains };
}

function apiOf({ platform, access, warnings }: Connection): ShownStore['api'] {
  const { api, testDeliveries } = storefrontOf(storefronts, platform);
  return {
    listsWebhooks: api?.subscriptions !== undefined,
    listsOrders: api?.changedSince !== undefined,
    sendsTests: testDeliveries !== undefined,
    takesKey: api !== undefined,
    hasAccess: access !== null,
    problem: apiRefusal({ warnings }) ?? warnings[ACCESS_WARNING] ?? null,
  };
}

/** `figures`: as they were a moment ago; looked up if absent. */
type ListDeps = Parameters<typeof describeConnections>[0] & { figures?: () => Promise<StoreFigures> };

/** A store in the list of all. `recorded`, `asked`: orders of the last 24 hours; `waiting`: for a person, now. */
export type StoreInList = ConnectionReport & {
  api: ShownStore['api'];
  /** `listedAt` null: its webhooks are not listed. `problems`: topics whose webhook does not work. */
  webhooks: { listedAt: string | null; problems: string[]; error: string | null };
  figures: { recorded: number; asked: number; waiting: number };
  gapsOfSettings: ValueGap[];
};

/** `isMore`: of some figure there are more than `most`, and not all are counted. */
export type StoreList = { stores: StoreInList[]; isMore: boolean; most: number };

/** Every store, live ones first. */
export async function listStores(deps: ListDeps, base: string): Promise<StoreList> {
  const [described, figures, gaps] = await Promise.all([
    describeConnections(deps, base),
    deps.figures?.() ?? storeFigures(deps.pool),
    settingGaps(deps.pool, null),
  ]);
  const { recorded, asked, waiting } = figures;
  const gapsOf = Map.groupBy(gaps, ({ connectionId }) => connectionId);
  const stores = described.map(({ connection, report, watch }): StoreInList => {
    const { id } = connection;
    const wrong = (watch?.problems ?? []).filter(({ kind }) => kind !== 'left-over' && kind !== 'not-arriving');
    return {
      ...report,
      api: apiOf(connection),
      webhooks: { listedAt: watch?.listedAt ?? null, problems: wrong.map(({ topic }) => topic), error: watch?.error ?? null },
      figures: { recorded: recorded.counts.get(id) ?? 0, asked: asked.counts.get(id) ?? 0, waiting: waiting.counts.get(id) ?? 0 },
      gapsOfSettings: (gapsOf.get(id) ?? []).map(valueGap),
    };
  });
  const isLive = ({ state }: StoreInList) => state === 'connected';
  return {
    stores: [...stores.filter(isLive), ...stores.filter((one) => !isLive(one))],
    isMore: recorded.isMore || asked.isMore || waiting.isMore,
    most: MOST_COUNTED,
  };
}
