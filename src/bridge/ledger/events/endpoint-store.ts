import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { jobsOf } from '../../../platform/jobs/job-store.ts';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { SealedPlace } from '../../../platform/seal.ts';
import { type Authorship, authorOf, BY_PROGRAM } from '../../../platform/trail/trail.ts';
import type { LiveSecret } from '../../connections/connection.ts';
import type { DisabledAs, EventEndpoint } from '../../events/send-events.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import { openJson } from '../json-columns.ts';

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

/** Writes the job that sends; from the end of the transaction on, orders write events. */
async function begin(tx: Queryable, id: string): Promise<void> {
  await tx.query(jobsOf('events', 'select $1::text as key'), [id]);
  await tx.query('select keep_event_triggers()');
}

function act(tx: Queryable, said: Authorship, what: { act: BridgeAct; id: string; after?: unknown }): Promise<void> {
  const { id: subject, ...rest } = what;
  return writeBridgeActs(tx, [{ ...authorOf(said), subject, ...rest }]);
}

/** Returns its id. */
export function insertEndpoint(pool: Pool, { secret, ...given }: NewEndpoint & { secret: string }, said: Authorship): Promise<string> {
  const { url, shopId, company, withBuyers } = given;
  const id = randomUUID();
  return inTransaction(pool, async (tx) => {
    await tx.query('insert into event_endpoints (id, url, secrets, shop_id, company, with_buyers) values ($1, $2, $3, $4, $5, $6)', [
      ...[id, url, sealed(tx, id, [{ secret, until: null }]), shopId, company, withBuyers],
    ]);
    // The rest of an address may be a key.
    await act(tx, said, { act: 'endpoint.added', id, after: { host: new URL(url).host, shopId, company, withBuyers } });
    await begin(tx, id);
    return id;
  });
}

/** False: there is none. `secrets`: those from now on, of those that are live. */
export function changeSecrets(
  pool: Pool,
  id: string,
  { secrets, said }: { secrets(live: readonly LiveSecret[]): LiveSecret[]; said: Authorship },
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const found = await readRow(tx, openRows(tx), { text: `${OPEN} where id = $1 for update`, values: [id] });
    if (found === null) return false;
    await tx.query('update event_endpoints set secrets = $2 where id = $1', [id, sealed(tx, id, secrets(found.secrets))]);
    await act(tx, said, { act: 'endpoint.secret-rotated', id });
    return true;
  });
}

/** It is sent again what was given up, in its order. False: there is none, or it is not disabled. */
export function enableEndpoint(pool: Pool, id: string, said: Authorship): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('update event_endpoints set disabled_at = null, disabled_as = null where id = $1 and disabled_at is not null', [id]);
    if (rowCount === 0) return false;
    await tx.query(
      `update events set ended_at = null, outcome = null, attempts = 0, tried_at = null, due_at = now() where endpoint = $1 and outcome = 'given-up'`,
      [id],
    );
    await act(tx, said, { act: 'endpoint.enabled', id });
    await begin(tx, id);
    return true;
  });
}

/** Nothing more is written for it, and what waits is given up. */
export function disableEndpoint(pool: Pool, id: string, as: DisabledAs): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('update event_endpoints set disabled_at = now(), disabled_as = $2 where id = $1 and disabled_at is null', [id, as]);
    if (rowCount === 0) return;
    await tx.query(`update events set ended_at = now(), outcome = 'given-up' where endpoint = $1 and ended_at is null`, [id]);
    await act(tx, BY_PROGRAM, { act: 'endpoint.disabled', id, after: { as } });
    await tx.query('select keep_event_triggers()');
  });
}

/** With its events. False: there is none. */
export function deleteEndpoint(pool: Pool, id: string, said: Authorship): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query('delete from event_endpoints where id = $1', [id]);
    if (rowCount === 0) return false;
    await tx.query('delete from events where endpoint = $1', [id]);
    await act(tx, said, { act: 'endpoint.removed', id });
    await tx.query('select keep_event_triggers()');
    return true;
  });
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
  givenUp: z.int(),
  failingSince: z.string().nullable(),
  deliveredAt: z.string().nullable(),
});
const listedRows = rowsOf('event_endpoints', listedRow);

/** An endpoint for people. `waiting`, `givenUp`: events. `failingSince`: when one that waits was not taken the first time. */
export type ListedEndpoint = z.output<typeof listedRow>;

/** The oldest first. */
export function listEndpoints(pool: Pool): Promise<ListedEndpoint[]> {
  return readRows(pool, listedRows, {
    text: `select n.id, n.url, n.shop_id as "shopId", n.company, n.with_buyers as "withBuyers", n.created_at as "createdAt", n.disabled_at as "disabledAt",
        n.disabled_as as "disabledAs", (select count(*) from events e where e.endpoint = n.id and e.ended_at is null) as waiting,
        (select count(*) from events e where e.endpoint = n.id and e.outcome = 'given-up') as "givenUp",
        (select min(e.tried_at) from events e where e.endpoint = n.id and e.ended_at is null) as "failingSince",
        (select e.ended_at from events e where e.endpoint = n.id and e.outcome = 'delivered' order by e.seq desc limit 1) as "deliveredAt"
      from event_endpoints n order by n.created_at, n.id`,
  });
}
