import { ACCESS_WARNING, apiRefusal, type Connection } from '../../bridge/connections/connection.ts';
import { openOrders, type SettingGap, settingGaps } from '../../bridge/ledger/store-figures.ts';
import type { WatchState } from '../../bridge/ledger/watch-store.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { unknownConnection } from './known-connection.ts';
import { type ConnectionReport, describeConnections } from './list-connections.ts';
import { remainsInStore } from './remains-in-store.ts';

type Deps = Parameters<typeof describeConnections>[0];

/** One store with everything that its health depends on, without secrets. */
export type ShownStore = ConnectionReport & {
  /** Its webhooks in the store as they were listed last; null: they are not listed. */
  watch: WatchState | null;
  /** Since when (ISO instant) it was not read by its API, though it should have been, as the verdict says; null: it was. */
  overdue: string | null;
  /** Why the newest refused webhook was. */
  refusedCode: string | null;
  /** What its API is good for: whether webhooks and orders can be listed with a key, and whether it has one. `sendsTests`: a test order can be made up. */
  api: { listsWebhooks: boolean; listsOrders: boolean; sendsTests: boolean; takesKey: boolean; hasAccess: boolean; problem: string | null };
  gapsOfSettings: ValueGap[];
  open: { behind: number; review: number; unconfirmed: number };
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

export function apiOf({ platform, access, warnings }: Connection): ShownStore['api'] {
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
