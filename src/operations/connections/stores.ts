import { ACCESS_WARNING, apiRefusal, type Connection } from '../../bridge/connections/connection.ts';
import { MOST_COUNTED, openOrders, type SettingGap, type StoreFigures, settingGaps, storeFigures } from '../../bridge/ledger/store-figures.ts';
import type { WatchState } from '../../bridge/ledger/watch-store.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { remainsInStore } from './disconnect-store.ts';
import { unknownConnection } from './known-connection.ts';
import { type ConnectionReport, describeConnections } from './list-connections.ts';

type Deps = Parameters<typeof describeConnections>[0];

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
  remains: Said[];
};

/** A value of orders that the settings give no meaning. `value` null: what is said of it names none. */
export type ValueGap = { kind: 'payment' | 'vat'; value: string | null; orders: number; detail: string };

/** The store of a connection, by its id. */
export async function showStore(deps: Deps & { pool: Pool }, base: string, id: string): Promise<ShownStore> {
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

const named: Readonly<Record<ValueGap['kind'], RegExp>> = {
  payment: /^The payment method “(.*)” has no type\.$/s,
  vat: /^The VAT rate (\S+) % has no group\.$/,
};

export function valueGap({ code, detail, count }: SettingGap): ValueGap {
  const kind = code === 'vat.unmapped' ? 'vat' : 'payment';
  return { kind, value: named[kind].exec(detail)?.[1] ?? null, orders: count, detail };
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
  const stores = described.map(({ connection, report, watch }): StoreInList => {
    const { id } = connection;
    const wrong = (watch?.problems ?? []).filter(({ kind }) => kind !== 'left-over' && kind !== 'not-arriving');
    return {
      ...report,
      api: apiOf(connection),
      webhooks: { listedAt: watch?.listedAt ?? null, problems: wrong.map(({ topic }) => topic), error: watch?.error ?? null },
      figures: { recorded: recorded.counts.get(id) ?? 0, asked: asked.counts.get(id) ?? 0, waiting: waiting.counts.get(id) ?? 0 },
      gapsOfSettings: gaps.filter(({ connectionId }) => connectionId === id).map(valueGap),
    };
  });
  const isLive = ({ state }: StoreInList) => state === 'connected';
  return {
    stores: [...stores.filter(isLive), ...stores.filter((one) => !isLive(one))],
    isMore: recorded.isMore || asked.isMore || waiting.isMore,
    most: MOST_COUNTED,
  };
}
