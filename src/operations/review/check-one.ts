import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Connection } from '../../bridge/connections/connection.ts';
import { connectionSettings, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { EditedSettings, SettingsEdit } from '../../bridge/ledger/connections/connection-settings.ts';
import { beginBulkActionOfGroup, insertBulkAction, readBulkAction, whatBecame } from '../../bridge/ledger/review/bulk-action-store.ts';
import type { OrderInReview } from '../../bridge/ledger/review/release-from-review.ts';
import { type IssueKey, inReviewNow, inReviewOfGroup } from '../../bridge/ledger/review/review-groups.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type BackgroundDeps, type BegunBulkAction, beginWork } from '../bulk-actions.ts';
import { saveSettings } from '../connections/change-settings.ts';
import { isOutdated } from '../connections/decide-again.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type TriedOrder, tryOne } from '../one-first.ts';
import { Refusal } from '../refusal.ts';
import { type Chosen, changesFor, chosenIn } from './chosen-settings.ts';
import type { IssueGroup } from './issue-group.ts';

export type CheckDeps = {
  pool: Pool;
  notify: Notify;
  connections: FindConnection & { changeSettings(id: string, edit: SettingsEdit): Promise<EditedSettings | null> };
};

/** `chosen`: settings to be saved first. `was`: what was set for them when somebody chose; absent: what is set now. `again`: the bulk action of an earlier check of the group, whose order goes once more if the service refused it. */
type Check = { group: IssueGroup; chosen: readonly Chosen[]; was?: readonly Chosen[]; again: string | null; by: Actor };

/** Most checks end within this; what becomes of the others is seen on the page of the bulk action. */
const WAIT_MS = 3_000;

/** Saves what was chosen, and decides again about one order of the group; the others stay as they are. */
export async function checkOne(deps: CheckDeps, { group, chosen, was, again, by }: Check): Promise<{ bulkAction: string }> {
  const { pool } = deps;
  const order = await orderToCheck(pool, group, again);
  const connection = await knownConnection(deps.connections, group.connectionId);
  const seen = was ?? group.settings.map((setting) => chosenIn(connection, setting));
  const change = { id: connection.id, by, changes: changesFor(connection, chosen), mustBe: (before: SettingsInput) => refuseOthers(before, seen) };
  const saved = chosen.length === 0 ? null : await saveSettings(deps, change);
  const bulkAction = await insertBulkAction(pool, { who: by, act: 'order.released', about: aboutGroup('check', group), orders: [order.id] });
  await tryWith(deps, order, { by, connection: saved?.connection ?? connection, isSaved: saved !== null });
  return { bulkAction };
}

/** Two people who answer at once: the second one learns what the first one set. */
function refuseOthers(before: SettingsInput, seen: readonly Chosen[]): void {
  const settings = connectionSettings.parse(before);
  if (seen.every((one) => isDeepStrictEqual(chosenIn({ settings }, one.setting), one))) return;
  throw new Refusal('conflict', {
    en: 'somebody else has just set something else: look at what is set now',
    bg: 'току-що друг зададе нещо друго: вижте какво е зададено сега',
  });
}

/** What a page asked is no issue any more. */
export const issueGone: LocalizedText = {
  en: 'nobody is asked this any more: its orders were decided meanwhile',
  bg: 'това вече не се пита: междувременно за поръчките е решено',
};

/** The order of a group that goes first: the one that was refused before, as long as it is. */
export async function orderToCheck(pool: Pool, group: IssueGroup, again: string | null): Promise<OrderInReview> {
  const refused = again === null ? null : await refusedBefore(pool, group, again);
  const [order] = refused === null ? await inReviewOfGroup(pool, group, 1) : [refused];
  if (order !== undefined) return order;
  throw new Refusal('conflict', { ...issueGone, advice: '`orderbridge review` shows what waits' });
}

/** The order of an earlier check, if the service refused what was sent of it. */
async function refusedBefore(pool: Pool, group: IssueGroup, bulkAction: string): Promise<OrderInReview | null> {
  const before = await readBulkAction(pool, bulkAction);
  const id = before?.first ?? null;
  if (before === null || id === null || readAbout(before.about)?.group !== group.id) return null;
  const order = await inReviewNow(pool, id);
  return order?.code === 'compliance.refused' ? order : null;
}

type How = { by: Actor; connection: Connection; isSaved: boolean };

async function tryWith({ pool, notify }: CheckDeps, order: OrderInReview, { by, connection, isSaved }: How): Promise<void> {
  const endsAtRefusal = { isOutdated: (one: OrderInReview) => isOutdated(pool, connection, one) };
  const how = { by, firstTry: { waitMs: WAIT_MS }, endsAtRefusal };
  const first = await tryOne({ pool, notify }, order, how);
  // A worker may hear of new settings a moment after the order.
  if (isSaved && hasSameIssue(first)) await tryOne({ pool, notify }, order, how);
}

function hasSameIssue({ order, state, code }: TriedOrder): boolean {
  return state === 'review' && code === order.code && code !== 'compliance.refused';
}

/** `check`: the bulk action of the order that went first. */
type Rest = { group: IssueGroup; check: string; by: Actor };

/** Decides again about all orders of a group, once one of them went well. */
export async function releaseRest(deps: BackgroundDeps, { group, check, by }: Rest): Promise<BegunBulkAction> {
  const { pool } = deps;
  if (!(await wentWell(pool, group, check))) {
    throw new Refusal('conflict', {
      en: 'no order of this group went well yet: retry one first',
      bg: 'още нито една от тези поръчки не мина добре: първо опитайте с една',
      advice: '`orderbridge release --code` does so by itself',
    });
  }
  // Before the first of them: anyone who comes back after a crash sees how many are left.
  const bulkAction = await beginBulkActionOfGroup(pool, { who: by, act: 'order.released', about: aboutGroup('rest', group) }, group);
  if (bulkAction === null) throw new Refusal('conflict', issueGone);
  return beginWork(deps, { bulkAction, orders: group.orders });
}

/** The order that went first is recorded, or needs no record. */
async function wentWell(pool: Pool, group: IssueGroup, check: string): Promise<boolean> {
  const bulkAction = await readBulkAction(pool, check);
  if (bulkAction === null || readAbout(bulkAction.about)?.group !== group.id) return false;
  const became = await whatBecame(pool, check);
  return became.length > 0 && became.every(({ is, code, state }) => is === 'done' && code === '' && state !== 'unconfirmed');
}

const about = z.object({
  of: z.enum(['check', 'rest']),
  group: z.string(),
  store: z.string(),
  connectionId: z.string(),
  code: z.string(),
  pattern: z.string(),
});

/** What a bulk action of an issue was about. check: one order went first; rest: the others of its group followed. */
export type BulkActionAbout = z.output<typeof about>;

function aboutGroup(of: BulkActionAbout['of'], { id, store, connectionId, code, pattern }: IssueKey & { id: string; store: string }): BulkActionAbout {
  return { of, group: id, store, connectionId, code, pattern };
}

/** Null: it was made elsewhere. */
export function readAbout(stored: unknown): BulkActionAbout | null {
  return about.safeParse(stored).data ?? null;
}
