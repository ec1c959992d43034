import { z } from 'zod';
import type { Authorship } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Connection } from '../../connections/connection.ts';
import { startFrom } from '../../connections/new-connection.ts';
import type { DueNotice } from '../../delivery/notify.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { COLUMNS, CONNECTIONS_CHANNEL, type ConnectionRows, connectionAct, SELECT } from '../connection-row.ts';
import { endWays } from '../invitations/onboarding-store.ts';
import { reevaluate } from '../orders/pending-orders.ts';
import { wantWindow } from '../sync/sync-store.ts';

/** `from`: ISO instant. */
type TrialEnd = { id: string; from: string; said: Authorship };

/** `notices`: the orders that the trial left out, which are decided again. */
export type Started = { connection: Connection; notices: DueNotice[] };

const START = `update connections set trial_since = null, recorded_until = null, record_from = $2, gaps = $3 where id = $1 returning ${COLUMNS}`;

/**
 * Ends a trial: orders paid from then on are recorded, and of a store that recorded before, those from before it was disconnected. What it takes, and the end of its merchant’s way, is one transaction, so that anyone who dies in its middle did all of it or nothing.
 * Null: there is no live connection on trial with this id.
 */
export function endTrial(pool: Pool, rows: ConnectionRows, { id, from, said }: TrialEnd): Promise<Started | null> {
  return inTransaction(pool, async (tx) => {
    // Anyone who leaves an order out because of the trial waits for this lock, or is waited for: see `whileOnTrial`.
    const live = `${SELECT} where id = $1 and trial_since is not null and closed_at is null for no key update of connections`;
    const before = await readRow(tx, rows, { text: live, values: [id] });
    if (before === null) return null;
    const { recordFrom, gaps } = startFrom(before, from);
    const connection = await readOne(tx, rows, { text: START, values: [id, recordFrom, JSON.stringify(gaps)] });
    const act = connectionAct({ act: 'store.started', said, before, after: connection });
    await writeBridgeActs(tx, act === null ? [] : [act]);
    const notices = await reevaluate(tx, { unrecordedOf: id });
    // What the store has since then, and no webhook told.
    await wantWindow(tx, id, { since: from, why: 'recording was started' });
    await endWays(tx, id);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
    return { connection, notices };
  });
}

const rows = rowsOf('connections', z.object({ id: z.string(), name: z.string(), since: z.string() }));

/** A live store of which nothing is submitted yet. `since`: ISO instant. */
export type StoreOnTrial = z.output<typeof rows.schema>;

/** Those, the longest on trial first. */
export function storesOnTrial(pool: Pool): Promise<StoreOnTrial[]> {
  return readRows(pool, rows, {
    text: 'select id, name, trial_since as since from connections where trial_since is not null and closed_at is null order by trial_since, id limit 20',
  });
}

const untilRow = rowsOf('connections', z.object({ until: z.string().nullable() }));

/** Until when a store was recorded for other shops, as the platform's own id of it tells; null: it was not, or its id is not known. ISO instant. */
export async function recordedElsewhereUntil(
  db: Queryable,
  { platform, storeIdentity, shopId }: Pick<Connection, 'platform' | 'storeIdentity' | 'shopId'>,
): Promise<string | null> {
  const until = 'max(case when c.trial_since is null then c.closed_at else c.recorded_until end)';
  const text = `select ${isoText(until)} as until from connections c
    where c.platform = $1 and c.store_identity = $2 and c.shop_id <> $3 and c.closed_at is not null`;
  return (await readOne(db, untilRow, { text, values: [platform, storeIdentity, shopId] })).until;
}
