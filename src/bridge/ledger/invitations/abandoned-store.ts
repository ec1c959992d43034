import { z } from 'zod';
import { PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { dropBodiesOf } from '../body-columns.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { CONNECTIONS_CHANNEL } from '../connection-row.ts';

const waysRows = rowsOf('onboardings', z.object({ id: z.string(), connectionId: z.string().nullable(), isLive: z.boolean() }));

/** A way that its merchant began uninvited, and left. `isLive`: its store is connected still. */
type AbandonedWay = z.output<typeof waysRows.schema>;

const DAYS = 30;

// Of a store on trial that never recorded, and of which nothing was ever sent; and of which nothing else tells.
const UNUSED = `c.id is null or (c.trial_since is not null and c.recorded_until is null
  and not exists (select from onboardings x where x.connection_id = c.id and x.id <> o.id)
  and not exists (select from connections n where n.predecessor = c.id)
  and not exists (select from privacy_exports e where e.connection_id = c.id)
  and not exists (select from orders r where r.connection_id = c.id and (r.record is not null or r.compliance_id is not null or r.open_step is not null
    or exists (select from steps s where s.order_ref = r.id))))`;

/** The ways that ended so many days ago without a start. */
export function abandonedWays(db: Queryable, now: Date): Promise<AbandonedWay[]> {
  return readRows(db, waysRows, {
    text: `select o.id, o.connection_id as "connectionId", c.id is not null and c.closed_at is null as "isLive"
      from onboardings o left join connections c on c.id = o.connection_id
      where o.who = $1 and o.started_at is null and o.expires_at < $2::timestamptz - interval '${DAYS} days' and (${UNUSED}) order by o.expires_at limit 100`,
    values: [PROGRAM, now],
  });
}

const shopRows = rowsOf('onboardings', z.object({ shopId: z.string() }));

/** Deletes a way, and its store with all that was kept of it, unless it is used by now, and does the rest with it. */
export function deleteWay(pool: Pool, way: Pick<AbandonedWay, 'id' | 'connectionId'>, rest: (tx: Queryable) => Promise<void>): Promise<void> {
  return inTransaction(pool, async (tx) => {
    if (await deleted(tx, way)) await rest(tx);
  });
}

async function deleted(tx: Queryable, { id, connectionId }: Pick<AbandonedWay, 'id' | 'connectionId'>): Promise<boolean> {
  // Whoever records or opens it again waits, or was first.
  if (connectionId !== null) await tx.query('select from connections where id = $1 for update', [connectionId]);
  const { rowCount } = await tx.query(
    `select from onboardings o left join connections c on c.id = o.connection_id
      where o.id = $1 and o.started_at is null and o.connection_id is not distinct from $2 and (c.id is null or c.closed_at is not null) and (${UNUSED}) for update of o`,
    [id, connectionId],
  );
  if (rowCount !== 1) return false;
  await tx.query(dropBodiesOf('d.connection_id = $1'), [connectionId]);
  await tx.query('delete from deliveries where connection_id = $1', [connectionId]);
  await tx.query('delete from orders where connection_id = $1', [connectionId]);
  await tx.query('delete from onboardings where id = $1', [id]);
  await tx.query('delete from connections where id = $1', [connectionId]);
  if (connectionId !== null) await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, connectionId]);
  const of = connectionId === null ? {} : { connectionId };
  await writeBridgeActs(tx, [{ who: PROGRAM, act: 'invitation.dropped', subject: id, ...of }]);
  return true;
}

/** Does another way, or a connection, lead to the shop? */
export async function isShopUsed(db: Queryable, shopId: string): Promise<boolean> {
  const text = `select $1::text as "shopId" where exists (select from onboardings where shop_id = $1::uuid) or exists (select from connections where shop_id = $1::uuid)`;
  return (await readRows(db, shopRows, { text, values: [shopId] })).length > 0;
}
