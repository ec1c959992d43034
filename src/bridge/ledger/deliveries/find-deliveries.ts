import { z } from 'zod';
import { isUuid } from '../../../contract/uuid.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

const text = z.string();
const int = z.int().nullable();

const found = z.object({
  /** Of a refused one `r` and a number. */
  ...{ id: text, connectionId: text, at: text, topic: text, platformDeliveryId: text.nullable() },
  /** Null: it was refused. */
  outcome: text.nullable(),
  ...{ code: text.nullable(), detail: text.nullable(), client: text.nullable(), answerMs: int },
  ...{ orderRef: int, orderId: text.nullable(), number: text.nullable() },
});
const foundRows = rowsOf('deliveries', found);
const headerRows = rowsOf('refusals', z.object({ headers: z.record(text, text) }));
const idRows = rowsOf('deliveries', z.object({ id: text }));
const topicRows = rowsOf('traffic_topics', z.object({ topic: text }));

/** A webhook that was taken, or refused, or an order that was read from its store, with the order that it was about. */
export type FoundDelivery = z.output<typeof found>;

/** `connections`: those that may be shown. `topic`, `answer` and `ids` null: any. `at`: from an instant until before another one, ISO. */
export type DeliveriesWanted = {
  connections: readonly string[];
  topic?: string | null;
  answer: 'accepted' | 'refused' | null;
  ids: readonly string[] | null;
  at?: { from: string | null; until: string | null };
};

/** A place in the order of `at`, then `id`. */
export type DeliveryPosition = Pick<FoundDelivery, 'at' | 'id'>;

/** `from`: those beyond it; null: from the newest. `isNewer`: the other way. */
type Way = { from: DeliveryPosition | null; isNewer?: boolean };
/** `until`: none beyond this instant; null: to the end. */
type Look = Way & { limit: number; until?: string | null };

const DELIVERY = `d.id::text as id, d.connection_id, d.arrived_at as at, d.topic, d.platform_delivery_id, d.outcome, d.code, d.detail, null as client,
  d.answer_ms, d.order_ref`;
const REFUSAL = `'r' || r.id, r.connection_id, r.at, r.topic, r.platform_delivery_id, null, r.code, null, r.client, r.answer_ms, null`;

function wayOf(isNewer: boolean) {
  const [than, order] = isNewer ? ['>', 'asc'] : ['<', 'desc'];
  const isBeyond = (at: string, id: string) => `($2::timestamptz is null or (${at} ${than}= $2 and (${at} ${than} $2 or (${id}) collate "C" ${than} $3)))`;
  return { than, order, isBeyond };
}

/** The newest first; `isNewer`: those before `from`, the nearest first. Of each connection by its index; those whose first one comes late have none of the first. */
export async function findDeliveries(pool: Pool, wanted: DeliveriesWanted, { from, limit, isNewer = false, until = null }: Look): Promise<FoundDelivery[]> {
  const { than, order, isBeyond } = wayOf(isNewer);
  const isWanted = (of: string, at: string, id: string) =>
    `($8::text is null or ${of}.topic = $8) and ($9::timestamptz is null or $9 ${than}= ${at}) and ${isBeyond(at, id)} and ${isWithin(at, 10)}`;
  const own = (columns: string, most: string) => `select ${columns} from deliveries d where d.connection_id = c.id and $4::text is distinct from 'refused'
    and ${isWanted('d', 'd.arrived_at', 'd.id::text')} order by d.arrived_at ${order}, d.id ${order} limit ${most}`;
  const listed = `select own.* from (select c.id from unnest($1::text[]) c(id) cross join lateral (${own('d.arrived_at as at, d.id as first', '1')}) head
      order by at ${order}, first ${order} limit $7) c cross join lateral (${own(DELIVERY, '$7')}) own`;
  const named = `select ${DELIVERY} from deliveries d where d.id = any($5::uuid[]) and d.connection_id = any($1) and $4::text is distinct from 'refused'
    and ${isWanted('d', 'd.arrived_at', 'd.id::text')}`;
  return readRows(pool, foundRows, {
    text: `select p.id, p.connection_id as "connectionId", p.at, p.topic, p.platform_delivery_id as "platformDeliveryId", p.outcome, p.code, p.detail, p.client,
        p.answer_ms as "answerMs", p.order_ref as "orderRef", o.order_id as "orderId", o.number
      from ((${wanted.ids === null ? `${listed} where $5::uuid[] is null` : named})
        union all (select ${REFUSAL} from refusals r where r.connection_id = any($1) and $4::text is distinct from 'accepted'
          and ($6::bigint[] is null or r.id = any($6)) and ${isWanted('r', 'r.at', "'r' || r.id")} order by r.at ${order}, ('r' || r.id) collate "C" ${order} limit $7)) p
      left join orders o on o.id = p.order_ref order by p.at ${order}, p.id collate "C" ${order} limit $7`,
    values: [
      ...[wanted.connections, from?.at ?? null, from?.id ?? null, wanted.answer, wanted.ids?.filter(isUuid) ?? null],
      ...[wanted.ids?.flatMap(refusalIds) ?? null, limit, wanted.topic ?? null, until, ...within(wanted)],
    ],
  });
}

const isWithin = (at: string, first: number) =>
  `${at} >= coalesce($${first}::timestamptz, '-infinity') and ${at} < coalesce($${first + 1}::timestamptz, 'infinity')`;
const within = ({ at }: DeliveriesWanted) => [at?.from ?? null, at?.until ?? null];
const countRow = rowsOf('deliveries', z.object({ count: z.int() }));

/** How many there are; none beyond `most` are counted. */
export async function countDeliveries(pool: Pool, wanted: Omit<DeliveriesWanted, 'ids'>, most: number): Promise<number> {
  const { count } = await readOne(pool, countRow, {
    text: `select count(*) as count from (select from (
        select from unnest($1::text[]) c(id) cross join lateral (select from deliveries d where d.connection_id = c.id and $2::text is distinct from 'refused'
          and ${isWithin('d.arrived_at', 4)} limit $3) own
        union all select from refusals r where r.connection_id = any($1) and $2::text is distinct from 'accepted' and ${isWithin('r.at', 4)}) p limit $3) counted`,
    values: [wanted.connections, wanted.answer, most, ...within({ ...wanted, ids: null })],
  });
  return count;
}

const untilRow = rowsOf('deliveries', z.object({ until: text, isAll: z.boolean() }));

/** The longest that is taken first; in the shortest there may be more. */
const SPANS = ['100 years', '100 days', '10 days', '1 day', '2 hours', '10 minutes', '1 minute', '5 seconds', '0.5 seconds'];

/** How far those reach of which there are at most so many, whatever their topic; null: to the end. No more are looked at than that, however many connections there are. */
export async function reachOf(pool: Pool, connections: readonly string[], { from, isNewer = false, most }: Way & { most: number }): Promise<string | null> {
  const { than, isBeyond } = wayOf(isNewer);
  const [all, ...spans] = SPANS;
  const edge = `coalesce($2::timestamptz, now()) ${isNewer ? '+' : '-'} span`;
  const row = await readRow(pool, untilRow, {
    text: `select (${edge})::timestamptz as until, span = '${all}' as "isAll" from unnest($4::interval[]) span
      where span = '${spans.at(-1)}' or (select count(*) from (select from unnest($1::text[]) c(id) cross join lateral (select from deliveries d where d.connection_id = c.id
        and ${edge} ${than}= d.arrived_at and ${isBeyond('d.arrived_at', 'd.id::text')} limit $5) x limit $5) y) < $5 limit 1`,
    values: [connections, from?.at ?? null, from?.id ?? null, SPANS, most + 1],
  });
  return row === null || row.isAll ? null : row.until;
}

/** The headers that are kept of a refused webhook. */
export async function refusalHeaders(pool: Pool, id: string): Promise<Readonly<Record<string, string>>> {
  return (await readRow(pool, headerRows, { text: `select headers from refusals where 'r' || id = $1`, values: [id] }))?.headers ?? {};
}

/** The number in the id of a refused one. */
function refusalIds(id: string): string[] {
  const [, number] = /^r(\d{1,15})$/.exec(id) ?? [];
  return number === undefined ? [] : [number];
}

const MOST_OF_ID = 50;

/** Those that are called so exactly: by our id, or by the platform's, which several may share. */
export async function deliveriesNamed(pool: Pool, connections: readonly string[], named: string): Promise<string[]> {
  const rows = await readRows(pool, idRows, {
    text: `select id::text as id from deliveries where id = $1 and connection_id = any($3)
      union select id::text from deliveries where platform_delivery_id = $2 and connection_id = any($3)
      union select 'r' || id from refusals where (platform_delivery_id = $2 or id = any($4::bigint[])) and connection_id = any($3) limit ${MOST_OF_ID}`,
    values: [isUuid(named) ? named : null, named, connections, refusalIds(named)],
  });
  return rows.map(({ id }) => id);
}

/** What these connections were sent lately. */
export async function knownTopics(pool: Pool, connections: readonly string[]): Promise<string[]> {
  const statement = { text: 'select distinct topic from traffic_topics where connection_id = any($1) order by topic', values: [connections] };
  return (await readRows(pool, topicRows, statement)).map(({ topic }) => topic);
}
