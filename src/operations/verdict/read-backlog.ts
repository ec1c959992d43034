import { type BehindOf, MOST_BEHIND } from '../../bridge/ledger/behind-by-connection.ts';
import { inboxAge } from '../../bridge/ledger/waiting-groups.ts';
import type { Look, Reader } from './look.ts';
import { concernedBy } from './read-pauses.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/** What takes longer than this waits for something that nobody mends. */
export const LATE_MS = 15 * 60_000;

/** Orders and webhooks that are due, that no pause explains, and that nobody works on. */
export const backlogReader: Reader = {
  codes: ['backlog.old'],
  read: async (look) => [...(await oldOrders(look)), ...(await oldInbox(look))],
};

async function oldOrders(look: Look): Promise<Reason[]> {
  const [all, behind, pauses] = await Promise.all([look.all(), look.behind(), look.pauses()]);
  const late = all.flatMap((connection) => {
    const of = behind.get(connection.id);
    const callTypes = new Set(pauses.filter((pause) => concernedBy(pause, connection)).map(({ callType }) => callType));
    return of === undefined ? [] : lateOf(of, callTypes, look.now);
  });
  if (late.length === 0) return [];
  const count = late.reduce((sum, { orders }) => sum + orders, 0);
  const since = late.map(({ due }) => due).toSorted()[0] ?? null;
  const isMore = late.some(({ orders }) => orders >= MOST_BEHIND);
  const words = `${isMore ? 'more than ' : ''}${count} ${count === 1 ? 'order is' : 'orders are'} behind, the oldest since ${since ?? ''}, and no pause says why: is a worker running? The log of the workers says more`;
  return [reasonOf('backlog.old', { subject: 'orders', count, since, words, verb: 'orders --state queued' })];
}

/** A pause of records keeps receipts waiting, too. */
function lateOf({ records, receipts, recordsDue, receiptsDue }: BehindOf, callTypes: ReadonlySet<string>, now: number): { orders: number; due: string }[] {
  if (callTypes.has('records')) return [];
  const parts = [
    { orders: records, due: recordsDue },
    { orders: receipts, due: callTypes.has('receipts') ? null : receiptsDue },
  ];
  return parts.flatMap(({ orders, due }) => (due !== null && now - Date.parse(due) >= LATE_MS ? [{ orders, due }] : []));
}

async function oldInbox({ pool, now }: Look): Promise<Reason[]> {
  const { count, oldest } = await inboxAge(pool);
  if (oldest === null || now - Date.parse(oldest) < LATE_MS) return [];
  const words = `${count} ${count === 1 ? 'webhook waits' : 'webhooks wait'} in the inbox table since ${oldest}: the queue is down, or no worker runs`;
  return [reasonOf('backlog.old', { subject: 'inbox', count, since: oldest, words, verb: 'queues' })];
}
