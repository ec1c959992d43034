import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Authorship, authorOf, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { jobsOf } from '../../../platform/jobs/job-store.ts';
import { inTransaction, type Pool, type Queryable, type Statement, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { SealedPlace } from '../../../platform/seal.ts';
import type { LiveSecret } from '../../connections/connection.ts';
import type { DisabledAs, EventEndpoint } from '../../events/send-events.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import { openJson } from '../json-columns.ts';
import { withOrderTriggers } from '../order-triggers.ts';

/** Of a shop, of a company (ЕИК without its branch), or of all; `withBuyers`: buyers are sent, too. */
export type NewEndpoint = { url: string; shopId: string | null; company: string | null; withBuyers: boolean };

const liveSecret = z.array(z.object({ secret: z.string(), until: z.string().nullable() }));
const placeOf = (id: string): SealedPlace => ({ table: 'bridge.event_endpoints', column: 'secrets', id });

const sealed = (db: Queryable, id: string, secrets: readonly LiveSecret[]): string => sealerOf(db).seal(JSON.stringify(secrets), placeOf(id));

const openRow = z.object({ id: z.string(), url: z.string(), secrets: z.string(), withBuyers: z.boolean() });

const openRows = (db: Queryable) =>
  rowsOf(
    'event_endpoints',
    openRow.transform((row, context) => ({
      ...row,
      secrets: openJson({ sealer: sealerOf(db), sealed: row.secrets, place: placeOf(row.id) }, liveSecret, context),
    })),
  );

const OPEN = 'select id, url, secrets, with_buyers as "withBuyers" from event_endpoints';

/** Null: there is none, or it is disabled. */
export function openEndpoint(pool: Pool, id: string): Promise<EventEndpoint | null> {
  return readRow(pool, openRows(pool), { text: `${OPEN} where id = $1 and disabled_at is null`, values: [id] });
}

/** `statements`: the first changes the endpoint, or nothing is done. */
type Change = { id: string; said: Authorship; act: BridgeAct; after?: unknown; statements: readonly [Statement, ...Statement[]] };

/**
 * Changes an endpoint. From the end of the transaction on, orders write events if there is one that is not disabled: who changed orders is waited for before any
 * event is locked, since they may erase buyers. False: nothing was changed.
 */
function changeEndpoint(pool: Pool, { id, said, act, after, statements: [first, ...others] }: Change): Promise<boolean> {
  const changing = inTransaction(pool, async (tx) => {
    if ((await tx.query(first)).rowCount === 0) return false;
    await tx.query('select keep_order_triggers(true) from event_endpoints where id = $1 and disabled_at is null', [id]);
    for (const statement of others) await tx.query(statement);
    await writeBridgeActs(tx, [{ ...authorOf(said), act, subject: id, ...(after === undefined ? {} : { after }) }]);
    return true;
  });
  return withOrderTriggers(pool, changing);
}

const jobOf = (id: string): Statement => ({ text: jobsOf('events', 'select $1::text as key'), values: [id] });

/** Returns its id. */
export async function insertEndpoint(pool: Pool, { secret, ...given }: NewEndpoint & { secret: string }, said: Authorship): Promise<string> {
  const { url, shopId, company, withBuyers } = given;
  const id = randomUUID();
  const insert = {
    text: 'insert into event_endpoints (id, url, secrets, shop_id, company, with_buyers) values ($1, $2, $3, $4, $5, $6)',
    values: [id, url, sealed(pool, id, [{ secret, until: null }]), shopId, company, withBuyers],
  };
  // The rest of an address may be a key.
  const after = { host: new URL(url).host, shopId, company, withBuyers };
  await changeEndpoint(pool, { id, said, act: 'endpoint.added', after, statements: [insert, jobOf(id)] });
  return id;
}

/** `secrets`: those from now on, of those that are live. */
export function changeSecrets(
  pool: Pool,
  id: string,
  { secrets, said }: { secrets(live: readonly LiveSecret[]): LiveSecret[]; said: Authorship },
): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const { secrets: live } = await readOne(tx, openRows(tx), { text: `${OPEN} where id = $1 for update`, values: [id] });
    await tx.query('update event_endpoints set secrets = $2 where id = $1', [id, sealed(tx, id, secrets(live))]);
    await writeBridgeActs(tx, [{ ...authorOf(said), act: 'endpoint.secret-rotated', subject: id }]);
  });
}

/**
 * It is sent what waits, in its order. Only what was tried is changed, and before the endpoint is: orders wait for that change, and a million events may wait.
 * False: it is not disabled.
 */
export async function enableEndpoint(pool: Pool, id: string, said: Authorship): Promise<boolean> {
  const tried = `select id from events where endpoint = $1 and ended_at is null and attempts > 0
    and exists (select from event_endpoints where id = $1 and disabled_at is not null) order by seq for update`;
  await pool.query(`update events set attempts = 0, tried_at = null, due_at = now() where id in (${tried})`, [id]);
  const enable = 'update event_endpoints set disabled_at = null, disabled_as = null where id = $1 and disabled_at is not null';
  return changeEndpoint(pool, { id, said, act: 'endpoint.enabled', statements: [{ text: enable, values: [id] }, jobOf(id)] });
}

/** Nothing more is written for it, and what waits is not sent. */
export async function disableEndpoint(pool: Pool, id: string, as: DisabledAs): Promise<void> {
  const disable = { text: 'update event_endpoints set disabled_at = now(), disabled_as = $2 where id = $1 and disabled_at is null', values: [id, as] };
  await changeEndpoint(pool, { id, said: BY_PROGRAM, act: 'endpoint.disabled', after: { as }, statements: [disable] });
}

/** Its events go after it, a page at a time: there may be a million. What is written for it meanwhile, or stays as this is broken off, is dropped when it is old. */
export async function deleteEndpoint(pool: Pool, id: string, said: Authorship): Promise<void> {
  const remove = { text: 'delete from event_endpoints where id = $1', values: [id] };
  await changeEndpoint(pool, { id, said, act: 'endpoint.removed', statements: [remove] });
  const page = `delete from events where id in (select id from events where endpoint = $1 order by seq limit 10000 for update)`;
  while (((await pool.query(page, [id])).rowCount ?? 0) > 0);
}

const listedRow = z.object({
  id: z.string(),
  url: z.string(),
  shopId: z.string().nullable(),
  company: z.string().nullable(),
  withBuyers: z.boolean(),
  createdAt: z.string(),
  disabledAt: z.string().nullable(),
  disabledAs: z.enum(['gone', 'failing']).nullable(),
  waiting: z.int(),
  isFailing: z.boolean(),
  deliveredAt: z.string().nullable(),
});
const listedRows = rowsOf('event_endpoints', listedRow);

/** An endpoint for people. `waiting`: events. `isFailing`: one that waits was not taken. */
export type ListedEndpoint = z.output<typeof listedRow>;

/** The oldest first. */
export function listEndpoints(pool: Pool): Promise<ListedEndpoint[]> {
  return readRows(pool, listedRows, {
    text: `select n.id, n.url, n.shop_id as "shopId", n.company, n.with_buyers as "withBuyers", n.created_at as "createdAt", n.disabled_at as "disabledAt",
        n.disabled_as as "disabledAs", (select count(*) from events e where e.endpoint = n.id and e.ended_at is null) as waiting,
        exists (select from events e where e.endpoint = n.id and e.ended_at is null and e.attempts > 0) as "isFailing",
        (select e.ended_at from events e where e.endpoint = n.id and e.outcome = 'delivered' order by e.seq desc limit 1) as "deliveredAt"
      from event_endpoints n order by n.created_at, n.id`,
  });
}
