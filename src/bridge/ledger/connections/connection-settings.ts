import { z } from 'zod';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { type Connection, NOTES_WARNING } from '../../connections/connection.ts';
import type { SettingsInput } from '../../connections/connection-settings.ts';
import { orderStates } from '../../order/decisions/order-state.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { COLUMNS, CONNECTIONS_CHANNEL, type ConnectionRows } from '../connection-row.ts';
import { LOCK_ORDER } from '../orders/lock-orders.ts';
import { reportDeliveryOf } from '../outbox-job-store.ts';
import { wantSince } from '../sync/sync-store.ts';

/** The settings as a merchant wrote them, and whether the connection's records go to our own service. */
export type WrittenSettings = { settings: SettingsInput; isOurs: boolean };

/** `edit` returns what replaces them; what it throws changes nothing. */
export type SettingsEdit = { by: Actor; why?: string | undefined; edit(written: WrittenSettings): SettingsInput };

export type EditedSettings = { connection: Connection; before: SettingsInput; after: SettingsInput };

// Read as it was written: the schema would fill in the defaults. Each value was checked when it was given.
const written = rowsOf(
  'connections',
  z.object({ settings: z.custom<SettingsInput>((value) => typeof value === 'object' && value !== null), isOurs: z.boolean(), recordFrom: z.string() }),
);
const WRITTEN = `select c.settings, d.base_url is null as "isOurs", c.record_from as "recordFrom" from connections c join destinations d on d.id = c.destination_id where c.id = $1`;

// Earlier ones are in months that are closed. Locked as recorders lock them, which may be making such an outbox job.
const LATELY = `select o.id from orders o where o.connection_id = $1 and o.compliance_id is not null and o.delivered_at is not null
  and o.updated_at > now() - interval '70 days' order by ${LOCK_ORDER} for key share of o`;

/** Null: there is no such connection. */
export function writtenSettings(pool: Pool, id: string): Promise<WrittenSettings | null> {
  return readRow(pool, written, { text: WRITTEN, values: [id] });
}

/** Changes the settings of a connection that nobody else changes meanwhile, and adds it to the audit log. Null: there is no such connection. */
export function editSettings(pool: Pool, rows: ConnectionRows, { id, by, why, edit }: SettingsEdit & { id: string }): Promise<EditedSettings | null> {
  return inTransaction(pool, async (tx) => {
    // Not `for update`: rows of other tables that refer to the connection must not wait.
    const found = await readRow(tx, written, { text: `${WRITTEN} for no key update of c`, values: [id] });
    if (found === null) return null;
    const after = edit(found);
    const connection = await readOne(tx, rows, {
      text: `update connections set settings = $2, record_from = coalesce($3::timestamptz, record_from), warnings = warnings - $4::text[] where id = $1 returning ${COLUMNS}`,
      values: [id, JSON.stringify(after), after.recordFrom ?? null, after.notes === true ? [NOTES_WARNING] : []],
    });
    if (after.monthBy === 'delivery' && found.settings.monthBy !== 'delivery') await tx.query(reportDeliveryOf(LATELY), [id]);
    if (connection.recordFrom < found.recordFrom) await wantSince(tx, id, connection.recordFrom);
    await writeBridgeActs(tx, [{ who: by, act: 'settings.changed', connectionId: id, before: found.settings, after, ...(why === undefined ? {} : { why }) }]);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
    return { connection, before: found.settings, after };
  });
}

const oursRow = rowsOf('destinations', z.object({ isOurs: z.boolean() }));

/** Do its records go to our own service? */
export async function isOurDestination(pool: Pool, destinationId: string): Promise<boolean> {
  const found = await readRow(pool, oursRow, { text: 'select base_url is null as "isOurs" from destinations where id = $1', values: [destinationId] });
  return found?.isOurs === true;
}

const gatewayRow = rowsOf('orders', z.object({ connectionId: z.string(), gateway: z.string(), orders: z.int(), referenced: z.int() }));

/** Of one gateway's newest paid orders: how many there are, and how many have a transaction id. */
export type GatewayReferences = z.output<typeof gatewayRow.schema>;

// Of each state the newest, in the order of the index of states: by the id alone the whole table may be read for a store with few orders.
const NEWEST = `select n.id from unnest($3::text[]) s (state) cross join lateral
  (select id from orders where connection_id = c.id and state >= s.state and state <= s.state order by state desc, id desc limit $2) n order by n.id desc limit $2`;

/** Of the newest `size` orders of each of these connections, by the gateway that alone paid them. */
export function gatewayReferences(pool: Pool, connectionIds: readonly string[], size: number): Promise<GatewayReferences[]> {
  return readRows(pool, gatewayRow, {
    text: `select c.id as "connectionId", o.facts -> 'snapshot' -> 'gateways' ->> 0 as gateway, count(*) as orders,
       count(*) filter (where o.facts -> 'snapshot' ->> 'transactionId' is not null
         or jsonb_path_exists(o.facts, '$.transactions.* ? (@.reference != null)')) as referenced
     from connections c cross join lateral
       (select facts from order_facts where order_ref in (${NEWEST})) o
     where c.id = any($1) and o.facts -> 'snapshot' ->> 'payment' = 'paid' and jsonb_array_length(o.facts -> 'snapshot' -> 'gateways') = 1 group by 1, 2`,
    values: [connectionIds, size, Object.keys(orderStates)],
  });
}
