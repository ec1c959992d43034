import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow } from '../../platform/postgres/read-rows.ts';
import { BY_PROGRAM } from '../../platform/trail/trail.ts';
import type { Connection } from '../connections/connection.ts';
import { curedCodes } from '../connections/cured-codes.ts';
import { storeOfHost } from '../connections/earlier-store.ts';
import { goOn } from '../connections/go-on.ts';
import { replan } from './behind-store.ts';
import { endEarlierWays } from './change-invitation.ts';
import { CONNECTIONS_CHANNEL, type ConnectionRows, closedConnections, SELECT } from './connection-row.ts';
import { freeStoreKey } from './free-store-key.ts';
import { moveOrders } from './move-orders.ts';

/**
 * Names the store of a connection by its first delivery; returns the name under which its orders are kept. A connection that may continue an
 * earlier store does so if the host is that store's.
 */
export function pinStore(pool: Pool, rows: ConnectionRows, { id, store }: { id: string; store: string }): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const connection = await readRow(tx, rows, { text: `${SELECT} where id = $1 for no key update`, values: [id] });
    if (connection === null) return store;
    if (connection.store !== null) return connection.store;
    const earlier = connection.predecessor === null ? undefined : storeOfHost(store, await closedConnections(tx, rows, connection));
    const key = earlier?.store ?? (await ownKey(tx, connection, store));
    await tx.query('update connections set store = $2, predecessor = null where id = $1', [id, key]);
    if (earlier !== undefined) await adopt(tx, { ...connection, store: key }, earlier);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
    return key;
  });
}

/** A store that was declared to be another one keeps its orders apart from those of an earlier store of the same name. */
async function ownKey(tx: Queryable, connection: Connection, store: string): Promise<string> {
  return connection.isApart ? freeStoreKey(tx, connection, store) : store;
}

const ADOPT = `update connections c set record_from = $3, gaps = $4, recorded_until = $5, settings = case when c.settings = '{}' then e.settings else c.settings end,
  store_identity = coalesce(c.store_identity, e.store_identity) from connections e where c.id = $1 and e.id = $2`;

const MOVE_HOSTS = `with gone as (delete from connection_hosts where connection_id = $2 returning *)
  insert into connection_hosts (connection_id, host, verdict, dismissed, first_at, last_at)
  select $1, host, verdict, dismissed, first_at, last_at from gone on conflict do nothing`;

/** The connection goes on as the earlier store: its span, its settings unless others were given, its hosts, what they hold, and its orders. */
async function adopt(tx: Queryable, connection: Connection, earlier: Connection): Promise<void> {
  const { recordFrom, gaps } = continued(connection, earlier);
  await tx.query(ADOPT, [connection.id, earlier.id, recordFrom, JSON.stringify(gaps), recordedUntil(connection, earlier)]);
  const both = [connection.id, earlier.id];
  // Who had the earlier store may be somebody else.
  await endEarlierWays(tx, { connectionId: earlier.id, except: null, ...BY_PROGRAM });
  await tx.query(MOVE_HOSTS, both);
  await tx.query(`update deliveries set connection_id = $1 where connection_id = $2 and outcome = 'held'`, both);
  await moveOrders(tx, connection);
  // They are due, and claimed in a moment.
  await replan(tx, { waitsForStoreOf: connection.id });
  const { id, settings } = connection;
  if (Object.keys(settings).length === 0) return;
  await replan(tx, { connectionId: id, codes: curedCodes(settings) });
  await replan(tx, { unrecordedOf: id });
}

/** On trial it must know what the earlier store recorded, which the start does not leave out. */
function recordedUntil({ trialSince }: Connection, earlier: Connection): string | null {
  if (trialSince === null) return null;
  return earlier.trialSince === null ? earlier.closedAt : earlier.recordedUntil;
}

/** What `connect` was told about the start counts as it would have, had the store been known then. */
function continued({ settings, recordFrom, createdAt }: Connection, earlier: Connection): Pick<Connection, 'recordFrom' | 'gaps'> {
  const at = createdAt;
  if (settings.recordFrom !== undefined) return goOn({ ...earlier, recordFrom }, { at, from: null });
  return goOn(earlier, { at, from: recordFrom === createdAt ? null : recordFrom });
}
