import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../../bridge/connections/connection.ts';
import { connectionSettings, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { inReviewAlike, inReviewNow } from '../../bridge/ledger/asked-groups.ts';
import type { EditedSettings, SettingsEdit } from '../../bridge/ledger/edit-settings.ts';
import type { OrderInReview } from '../../bridge/ledger/release-from-review.ts';
import { insertRun, readRun } from '../../bridge/ledger/run-store.ts';
import type { Said } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { saveSettings } from '../connections/change-settings.ts';
import { isOutdated } from '../connections/freed-orders.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type Tried, tryOne } from '../one-first.ts';
import { Refusal } from '../refusal.ts';
import type { AskedGroup } from './asked-group.ts';
import { type Chosen, changesFor, chosenIn } from './chosen-settings.ts';
import { aboutGroup, readAbout } from './run-about.ts';

export type CheckDeps = {
  pool: Pool;
  notify: Notify;
  connections: FindConnection & { changeSettings(id: string, edit: SettingsEdit): Promise<EditedSettings | null> };
};

/** `chosen`: settings to be saved first. `was`: what was set for them when somebody chose; absent: what is set now. `again`: the run of an earlier check of the group, whose order goes once more if the service refused it. */
export type Check = { group: AskedGroup; chosen: readonly Chosen[]; was?: readonly Chosen[]; again: string | null; by: Actor };

/** Most checks end within this; what becomes of the others is seen on the page of the run. */
const WAIT_MS = 3_000;

/** Saves what was chosen, and decides again about one order of the group; the others stay as they are. */
export async function checkOne(deps: CheckDeps, { group, chosen, was, again, by }: Check): Promise<{ run: string }> {
  const { pool } = deps;
  const order = await orderToCheck(pool, group, again);
  const connection = await knownConnection(deps.connections, group.connectionId);
  const seen = was ?? group.settings.map((asked) => chosenIn(connection, asked));
  const change = { id: connection.id, by, changes: changesFor(connection, chosen), mustBe: (before: SettingsInput) => refuseOthers(before, seen) };
  const saved = chosen.length === 0 ? null : await saveSettings(deps, change);
  const run = await insertRun(pool, { who: by, act: 'order.released', about: aboutGroup('check', group), orders: [order.id] });
  await tryWith(deps, order, { by, connection: saved?.connection ?? connection, isSaved: saved !== null });
  return { run };
}

/** Two people who answer at once: the second one learns what the first one set. */
function refuseOthers(before: SettingsInput, seen: readonly Chosen[]): void {
  const settings = connectionSettings.parse(before);
  if (seen.every((one) => isDeepStrictEqual(chosenIn({ settings }, one.asked), one))) return;
  throw new Refusal('conflict', {
    en: 'somebody else has just set something else: look at what is set now',
    bg: 'току-що друг зададе нещо друго: вижте какво е зададено сега',
  });
}

/** What a page asked is no question any more. */
export const askedNoMore: Said = {
  en: 'nobody is asked this any more: its orders were decided meanwhile',
  bg: 'това вече не се пита: междувременно за поръчките е решено',
};

async function orderToCheck(pool: Pool, group: AskedGroup, again: string | null): Promise<OrderInReview> {
  const refused = again === null ? null : await refusedBefore(pool, group, again);
  const [order] = refused === null ? await inReviewAlike(pool, group, 1) : [refused];
  if (order !== undefined) return order;
  throw new Refusal('conflict', askedNoMore, { advice: { en: '`orderbridge review` shows what waits', bg: '`orderbridge review` показва какво чака' } });
}

/** The order of an earlier check, if the service refused what was sent of it. */
async function refusedBefore(pool: Pool, group: AskedGroup, run: string): Promise<OrderInReview | null> {
  const before = await readRun(pool, run);
  const id = before?.first ?? null;
  if (before === null || id === null || readAbout(before.about)?.group !== group.id) return null;
  const order = await inReviewNow(pool, id);
  return order?.code === 'compliance.refused' ? order : null;
}

type How = { by: Actor; connection: Connection; isSaved: boolean };

async function tryWith({ pool, notify }: CheckDeps, order: OrderInReview, { by, connection, isSaved }: How): Promise<void> {
  const endsAtRefusal = { isOutdated: (one: OrderInReview) => isOutdated(pool, connection, one) };
  const how = { by, patience: { waitMs: WAIT_MS }, endsAtRefusal };
  const first = await tryOne({ pool, notify }, order, how);
  // A worker may hear of new settings a moment after the order.
  if (isSaved && isAskedAgain(first)) await tryOne({ pool, notify }, order, how);
}

function isAskedAgain({ order, state, code }: Tried): boolean {
  return state === 'review' && code === order.code && code !== 'compliance.refused';
}
