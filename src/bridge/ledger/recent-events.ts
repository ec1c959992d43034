import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const text = z.string();
const named = { connectionId: text.nullable(), orderRef: z.int().nullable(), orderId: text.nullable(), number: text.nullable() };
const recentEvent = z.discriminatedUnion('of', [
  z.object({ of: z.literal('delivery'), key: text, at: text, ...named, topic: text, outcome: text, code: text.nullable(), state: text.nullable() }),
  z.object({ of: z.literal('refusal'), key: text, at: text, ...named, topic: text, code: text }),
  z.object({
    of: z.literal('step'),
    key: text,
    at: text,
    ...named,
    kind: text,
    outcome: text.nullable(),
    status: z.int().nullable(),
  }),
  z.object({ of: z.literal('sync'), key: text, at: text, ...named, kind: text, seen: z.int(), handed: z.int(), failed: z.boolean() }),
  z.object({ of: z.literal('act'), key: text, at: text, ...named, who: text, act: text, subject: text.nullable(), before: z.unknown(), after: z.unknown() }),
]);

/** Something that happened, without buyers. `key` is the same whenever it is read; `at`: ISO instant. */
export type RecentEvent = z.output<typeof recentEvent>;

/** How far the ledger was read: what was visible then, and when. */
export type Mark = { snapshot: string; at: string };

/** A pause as it is now. `scope`: the same as long as it lasts; `since`: ISO instant; `isNew`: it began after the mark. */
export type RecentPause = z.output<typeof pauseRow>;

/** `since` (ISO instant): where to begin, if there is no `mark`. `schemas`: those with acts that are in this database. */
export type RecentEventsInput = { mark: Mark | null; since: string | null; connectionId: string | null; schemas: readonly string[] };

export type RecentEvents = { happened: RecentEvent[]; pauses: RecentPause[]; mark: Mark };

const pauseRow = z.object({
  scope: text,
  destinationId: text,
  shopId: text.nullable(),
  callType: text,
  code: text,
  since: text,
  isNew: z.boolean(),
  connectionIds: z.array(text),
});
const recentEvents = rowsOf('the ledger', z.object({ happened: recentEvent }));
const pauses = rowsOf('pauses', pauseRow);
const ages = rowsOf('the clock', z.object({ ageMs: z.number() }));
const marks = rowsOf('the snapshot', z.object({ snapshot: text, at: text }));

/** Longer than a transaction here lasts: what is committed so late is still read. */
const LATE = `interval '90 s'`;

/**
 * What became visible since `mark`: each row version once, however late it was committed and whatever else is written meanwhile, because the snapshot of
 * then says whether it was visible; times only keep what must be looked at small.
 */
export async function readRecentEvents(pool: Pool, { mark, since, connectionId, schemas }: RecentEventsInput): Promise<RecentEvents> {
  return inTransaction(pool, async (tx) => {
    // All statements see the same.
    await tx.query('set transaction isolation level repeatable read, read only');
    const now = await readOne(tx, marks, { text: `select pg_current_snapshot()::text as snapshot, ${isoText('now()')} as at` });
    const from = mark?.at ?? since;
    return { happened: from === null ? [] : await newRows(tx, { mark, from, connectionId, schemas }), pauses: await everyPause(tx, mark), mark: now };
  });
}

type From = Pick<RecentEventsInput, 'mark' | 'connectionId' | 'schemas'> & { from: string };

// The 32 bits of a row's transaction, completed by those of the current one.
const XID = (row: string) => `(select case when low <= (top & 4294967295) then (top >> 32 << 32) | low else ((top >> 32) - 1 << 32) | low end
  from (select ${row}.xmin::text::bigint as low, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as top) x)::text::xid8`;
const IS_NEW = (row: string) => `($1::pg_snapshot is null or not pg_visible_in_snapshot(${XID(row)}, $1::pg_snapshot))`;
const FROM = `($2::timestamptz - case when $1::pg_snapshot is null then interval '0' else ${LATE} end)`;
const OF = (connection: string) => `($3::text is null or ${connection} = $3)`;
const ORDER = `o.id as "orderRef", o.order_id as "orderId", o.number`;
const NO_ORDER = `null::bigint as "orderRef", null::text as "orderId", null::text as number`;

async function newRows(tx: Queryable, { mark, from, connectionId, schemas }: From): Promise<RecentEvent[]> {
  const acts = schemas.map((schema, index) => `select to_jsonb(a${index}) as happened from (${actsOf(schema)}) a${index}`);
  const parts = [DELIVERIES, REFUSALS, STEPS, SYNC_RUNS].map((part, index) => `select to_jsonb(p${index}) as happened from (${part}) p${index}`);
  const rows = await readRows(tx, recentEvents, { text: [...parts, ...acts].join('\nunion all '), values: [mark?.snapshot ?? null, from, connectionId] });
  return rows.map(({ happened }) => happened).sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

const DELIVERIES = `select 'delivery' as of, 'delivery ' || d.id as key, ${isoText('d.kept_at')} as at, d.connection_id as "connectionId", ${ORDER},
    d.topic, d.outcome, d.code, o.state
  from deliveries d left join orders o on o.id = d.order_ref where d.kept_at > ${FROM} and ${OF('d.connection_id')} and ${IS_NEW('d')}`;

const REFUSALS = `select 'refusal' as of, 'refusal ' || r.id as key, ${isoText('r.at')} as at, r.connection_id as "connectionId", ${NO_ORDER}, r.topic, r.code
  from refusals r where r.at > ${FROM} and ${OF('r.connection_id')} and ${IS_NEW('r')}`;

const STEPS = `select 'step' as of, 'step ' || s.order_ref || '/' || s.seq || case when s.ended_at is null then ' try ' || s.attempts else ' ended' end as key,
    ${isoText('coalesce(s.ended_at, s.began_at)')} as at, o.connection_id as "connectionId", ${ORDER}, s.kind, s.outcome, s.status
  from steps s join orders o on o.id = s.order_ref where (s.began_at > ${FROM} or s.ended_at > ${FROM}) and ${OF('o.connection_id')} and ${IS_NEW('s')}`;

const SYNC_RUNS = `select 'sync' as of, 'sync ' || w.connection_id || ' ' || (w.last ->> 'at') as key, w.last ->> 'at' as at, w.connection_id as "connectionId", ${NO_ORDER},
    w.last ->> 'kind' as kind, (w.last ->> 'seen')::int as seen, (w.last ->> 'handed')::int as handed, (w.last ->> 'error') is not null as failed
  from store_syncs w where (w.last ->> 'at')::timestamptz > ${FROM} and ${OF('w.connection_id')} and ${IS_NEW('w')}`;

function actsOf(schema: string): string {
  return `select 'act' as of, '${schema} act ' || a.id as key, ${isoText('a.at')} as at, a.connection_id as "connectionId", ${ORDER}, a.who, a.act, a.subject, a.before, a.after
    from ${schema}.acts a left join orders o on o.id = a.order_ref where a.at > ${FROM} and ${OF('a.connection_id')} and ${IS_NEW('a')}`;
}

/** Since when, in ms by the clock of the database, something may have been missed; below 0: the mark is of another clock. */
export async function ageOf(pool: Pool, { at }: Mark): Promise<number> {
  return (await readOne(pool, ages, { text: `select (extract(epoch from now() - $1::timestamptz) * 1000)::float8 as "ageMs"`, values: [at] })).ageMs;
}

// A row of a pause is written again with each probe that fails: then its transaction says nothing of when it began.
const BEGAN = `$1::pg_snapshot is not null and ${IS_NEW('p')} and (p.failures = 1 or p.since > $2::timestamptz)`;

async function everyPause(tx: Queryable, mark: Mark | null): Promise<RecentPause[]> {
  return readRows(tx, pauses, {
    text: `select p.destination_id || ' ' || coalesce(p.shop_id::text, '') || ' ' || p.call_type as scope, p.destination_id as "destinationId", p.shop_id as "shopId", p.call_type as "callType", p.code,
      ${isoText('p.since')} as since, ${BEGAN} as "isNew",
      array(select c.id from connections c where c.closed_at is null and c.destination_id = p.destination_id and (p.shop_id is null or c.shop_id = p.shop_id) order by c.id) as "connectionIds"
     from pauses p order by p.since`,
    values: [mark?.snapshot ?? null, mark?.at ?? null],
  });
}
