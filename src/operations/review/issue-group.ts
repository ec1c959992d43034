import { createHash } from 'node:crypto';
import type { Connection } from '../../bridge/connections/connection.ts';
import { type Assignment, assignmentsOfIssues, UNASSIGNED } from '../../bridge/ledger/review/assignment-store.ts';
import { type IssueCount, type IssueKey, issueCounts } from '../../bridge/ledger/review/review-groups.ts';
import { type MissingSetting, missingSettings } from '../../bridge/order/facts/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { addDays, monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { deadlineOf, listingMonth, reminderOf } from '../../service/law/deadlines.ts';
import { storeNames } from '../connections/known-connection.ts';
import { sumWords } from '../orders/sum-words.ts';
import { sofiaMidnight } from '../reconciliation/window.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> }; now(): Date };

/** Orders of one store that wait for one answer of a person. `code`: of a failure; '': they are unconfirmed. */
export type IssueGroup = IssueKey & {
  /** In addresses; the same as long as any of them waits. */
  id: string;
  store: string;
  /** The settings that would answer. */
  settings: MissingSetting[];
  orders: number;
  /** What their customers paid, before refunds, such as `36.00 EUR + 12.00 USD`; null: not known. */
  total: string | null;
  /** ISO instant of the first one's creation; null: not known. */
  oldest: string | null;
  newest: number;
  /** When a person was asked first and last (ISO instants), of orders that wait; and how many were added on each of the last days. */
  firstAsked: string;
  lastAsked: string;
  byDay: number[];
  /** The month whose file would be the first to miss some of them, how many, and until when it can be filed; null: all have a record. */
  atRisk: { month: string; orders: number; due: string; daysLeft: number } | null;
  /** Who looks after all of them. `apartUntil`: the day until which it is listed apart, never after `latest`; null: it is not. */
  assigned: Assignment & { name: string | null; apartUntil: string | null; latest: string };
  /** Who looks after some of them alone, or put them off. */
  others: readonly { person: string | null; name: string | null }[];
  /** How many of them are snoozed alone. */
  snoozed: number;
};

/** `shops`: only those of connections of these shops; null: of all. */
export type SeenShops = { shops: readonly string[] | null };

const DAYS = 14;

/** Everything that waits for a person's answer, those first whose month is due first, then the largest. */
export async function issueGroups(deps: Deps, { shops }: SeenShops): Promise<IssueGroup[]> {
  return (await groupsOf(deps, { shops, id: null })).toSorted(inOrder);
}

/** Null: nobody is asked this any more. */
export async function issueGroup(deps: Deps, { id, shops }: SeenShops & { id: string }): Promise<IssueGroup | null> {
  const [group = null] = await groupsOf(deps, { shops, id });
  return group;
}

/** `id`: only this one; null: all. */
async function groupsOf({ pool, connections, now }: Deps, { shops, id: only }: SeenShops & { id: string | null }): Promise<IssueGroup[]> {
  const all = await connections.list();
  const seen = shops === null ? null : all.filter(({ shopId }) => shops.includes(shopId)).map(({ id }) => id);
  const nameOf = storeNames(all);
  const today = sofiaDay(now().toISOString());
  const days = Array.from({ length: DAYS }, (_, place) => sofiaMidnight(addDays(today, place - DAYS + 1)));
  const [counted, assignments] = await Promise.all([issueCounts(pool, seen, days), assignmentsOfIssues(pool)]);
  const counts = [...Map.groupBy(counted, groupId)].filter(([id]) => only === null || id === only);
  const assigned = Map.groupBy(assignments, groupId);
  return counts.map(([id, of]) => ({ ...groupOf(id, of, { nameOf, today }), ...assignedOf(assigned.get(id) ?? [], of, today) }));
}

export function groupId({ connectionId, code, pattern }: IssueKey): string {
  return createHash('sha256')
    .update(JSON.stringify([connectionId, code, pattern]))
    .digest('base64url')
    .slice(0, 16);
}

function groupOf(
  id: string,
  counts: readonly IssueCount[],
  { nameOf, today }: { nameOf(connectionId: string): string; today: string },
): Omit<IssueGroup, keyof ReturnType<typeof assignedOf>> {
  const { connectionId = '', code = '', pattern = '' } = counts[0] ?? {};
  return {
    ...{ id, connectionId, code, pattern },
    store: nameOf(connectionId),
    settings: missingSettings(code, pattern),
    orders: counts.reduce((sum, { orders }) => sum + orders, 0),
    total: sumWords(counts),
    oldest: counts.flatMap(({ oldest }) => oldest ?? []).toSorted()[0] ?? null,
    newest: Math.max(...counts.map(({ newest }) => newest)),
    firstAsked: counts.map(({ firstAsked }) => firstAsked).toSorted()[0] ?? '',
    lastAsked:
      counts
        .map(({ lastAsked }) => lastAsked)
        .toSorted()
        .at(-1) ?? '',
    byDay: Array.from({ length: DAYS }, (_, place) => counts.reduce((sum, one) => sum + (one.day === place + 1 ? one.orders : 0), 0)),
    atRisk: atRisk(counts, today),
  };
}

function atRisk(counts: readonly IssueCount[], today: string): IssueGroup['atRisk'] {
  const listed = counts.flatMap(({ month, unrecorded }) =>
    month === null || unrecorded === 0 ? [] : [{ month: listingMonth(`${month}-15T12:00:00Z`, today), unrecorded }],
  );
  const month = listed.map((one) => one.month).toSorted()[0];
  if (month === undefined) return null;
  const due = deadlineOf(month);
  const orders = listed.reduce((sum, one) => sum + (one.month === month ? one.unrecorded : 0), 0);
  return { month, orders, due, daysLeft: Math.round((Date.parse(due) - Date.parse(today)) / 86_400_000) };
}

type Assigned = Awaited<ReturnType<typeof assignmentsOfIssues>>;

function assignedOf(all: Assigned, counts: readonly IssueCount[], today: string): Pick<IssueGroup, 'assigned' | 'others' | 'snoozed'> {
  const own = all.find(({ orderRef }) => orderRef === null);
  const { person, note, snoozedUntil } = own ?? UNASSIGNED;
  const latest = latestSnooze(
    counts.map(({ month }) => month),
    today,
  );
  const end = snoozedUntil !== null && snoozedUntil > latest ? latest : snoozedUntil;
  const others = all.filter(({ orderRef }) => orderRef !== null);
  const snoozed = others.flatMap((one) => (one.snoozedUntil !== null && today < one.snoozedUntil ? one.snoozedUntil : [])).toSorted();
  const isEach = snoozed.length === counts.reduce((sum, { orders }) => sum + orders, 0);
  const apartUntil = end !== null && today < end ? end : isEach ? (snoozed[0] ?? null) : null;
  return { assigned: { ...{ person, note, snoozedUntil }, name: own?.name ?? null, apartUntil, latest }, others, snoozed: snoozed.length };
}

/** The day on which the file of the first of these months is made at the latest, and may be corrected within its term. */
export function latestSnooze(months: readonly (string | null)[], today: string): string {
  const listed = months.map((month) => listingMonth(month === null ? today : `${month}-15T12:00:00Z`, today)).toSorted();
  return reminderOf(listed[0] ?? monthOf(today));
}

function inOrder(a: IssueGroup, b: IssueGroup): number {
  return dueOf(a).localeCompare(dueOf(b)) || b.orders - a.orders || a.code.localeCompare(b.code) || a.id.localeCompare(b.id);
}

function dueOf({ atRisk: risk }: IssueGroup): string {
  return risk?.due ?? '9999';
}
