import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow } from '../../platform/postgres/read-rows.ts';
import type { Said } from '../../platform/trail/trail.ts';
import type { Connection } from '../connections/connection.ts';
import { startFrom } from '../connections/go-on.ts';
import type { DueNotice } from '../delivery/notify.ts';
import { replan } from './behind-store.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { connectionAct } from './connection-act.ts';
import { COLUMNS, CONNECTIONS_CHANNEL, type ConnectionRows, SELECT } from './connection-row.ts';
import { endWays } from './onboarding-store.ts';
import { wantWindow } from './reading-store.ts';

/** `from`: ISO instant. */
export type TrialEnd = { id: string; from: string; said: Said };

/** `notices`: the orders that the trial left out, which are decided again. */
export type Started = { connection: Connection; notices: DueNotice[] };

// A recordFrom that the settings name goes along: the next change of them would take it up again.
const START = `update connections set trial_since = null, recorded_until = null, record_from = $2::timestamptz, gaps = $3::jsonb,
  settings = case when settings ? 'recordFrom' then jsonb_set(settings, '{recordFrom}', to_jsonb($4::text)) else settings end where id = $1 returning ${COLUMNS}`;

/**
 * Ends a trial: orders paid from then on are recorded, and of a store that recorded before, those from before it was disconnected. What it takes, and the end of its merchant’s way, is one transaction, so that whoever dies in its middle did all of it or nothing.
 * Null: there is no live connection on trial with this id.
 */
export function endTrial(pool: Pool, rows: ConnectionRows, { id, from, said }: TrialEnd): Promise<Started | null> {
  return inTransaction(pool, async (tx) => {
    // Whoever leaves an order out because of the trial waits for this lock, or is waited for: see `whileOnTrial`.
    const live = `${SELECT} where id = $1 and trial_since is not null and closed_at is null for no key update of connections`;
    const before = await readRow(tx, rows, { text: live, values: [id] });
    if (before === null) return null;
    const { recordFrom, gaps } = startFrom(before, from);
    const connection = await readOne(tx, rows, { text: START, values: [id, recordFrom, JSON.stringify(gaps), recordFrom] });
    const act = connectionAct({ act: 'store.started', said, before, after: connection });
    await writeBridgeActs(tx, act === null ? [] : [act]);
    const notices = await replan(tx, { unrecordedOf: id });
    // What the store has since then, and no webhook told.
    await wantWindow(tx, id, { since: from, why: 'recording was started' });
    await endWays(tx, id);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
    return { connection, notices };
  });
}

/** Does the work while the connection is on trial, which nobody can end meanwhile. Null: the trial is over, and nothing was done. */
export function whileOnTrial<Done>(pool: Pool, connectionId: string, work: (tx: Queryable) => Promise<Done>): Promise<Done | null> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('select from connections where id = $1 and trial_since is not null for share', [connectionId]);
    return rowCount === 0 ? null : work(tx);
  });
}
