import type { Connection } from '../../bridge/connections/connection.ts';
import { everyPerson, type StoredPerson } from '../../bridge/ledger/people/people-store.ts';
import {
  type Assignable,
  type AssignedOrder,
  type Assignment,
  assignedOrders,
  keepAssignment,
  UNASSIGNED,
} from '../../bridge/ledger/review/assignment-store.ts';
import { issueKeyOf } from '../../bridge/ledger/review/review-groups.ts';
import { isDay } from '../../contract/day.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { addDays, sofiaDay, weekdayOf } from '../../service/law/calendar.ts';
import { Refusal } from '../refusal.ts';
import { latestSnooze } from './issue-group.ts';

export const SNOOZES = ['tomorrow', 'week', 'day'] as const;

/** `how`: one of those; anything else: no snooze. `day`: as typed. */
type Snooze = { how: string; day: string };

/** The day on which it is listed with the others again: never after `latest`. Null: it stays with them. */
export function snoozedUntil({ how, day }: Snooze, { today, latest }: { today: string; latest: string }): string | null {
  const days: Readonly<Record<string, string>> = { tomorrow: addDays(today, 1), week: addDays(today, 8 - weekdayOf(today)), day: isDay(day) ? day : '' };
  const until = days[how] ?? '';
  const end = until > latest ? latest : until;
  return end > today ? end : null;
}

/** Those who may look after what a store's orders ask. */
export async function assignees({ pool }: { pool: Pool }, { shopId }: Pick<Connection, 'shopId'>): Promise<StoredPerson[]> {
  return (await everyPerson(pool)).filter(({ isDisabled, shops }) => !isDisabled && (shops === null || shops.includes(shopId)));
}

type Assigning = { of: Assignable; was: Assignment; now: Assignment; among: readonly Pick<StoredPerson, 'id'>[]; by: Actor };

/** False: somebody else said something else meanwhile. */
export async function assign({ pool }: { pool: Pool }, { of, was, now, among, by }: Assigning): Promise<boolean> {
  if (now.person !== null && !among.some(({ id }) => id === now.person)) {
    throw new Refusal('invalid', { en: 'that person does not see this store', bg: 'този човек не вижда магазина' });
  }
  return keepAssignment(pool, { of, was, now, by });
}

/** `latest`: the last day until which it may be snoozed. */
type AssignableOrder = { of: Assignable; was: Assignment; found: AssignedOrder | null; latest: string };

/** What an order that waits is assigned by, to whom it is by itself, and (`found`) by itself or with its issue; null: nobody is asked about it. */
export async function assignableOrder({ pool, now }: { pool: Pool; now(): Date }, id: number): Promise<AssignableOrder | null> {
  const key = await issueKeyOf(pool, id);
  if (key === null) return null;
  const [found = null] = await assignedOrders(pool, { ids: [id], most: 1 });
  const was = found?.isOwn ? { person: found.person, note: found.note, snoozedUntil: found.snoozedUntil } : UNASSIGNED;
  return { of: { ...key, order: id }, was, found, latest: latestSnooze([key.month], sofiaDay(now().toISOString())) };
}
