import { z } from 'zod';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { MOST_REFUSALS, MOST_STRANGERS, MOST_TOPICS, type Traffic } from '../../intake/traffic.ts';
import { spanOf } from '../counts/count-hours.ts';
import { jsonText } from '../json-columns.ts';
import { inKnownTransaction, XID } from '../orders/record-store.ts';

const keptRows = rowsOf('counts', z.object({ connectionId: z.string(), span: z.string(), kept: z.number() }));
const xidRow = rowsOf('the transaction', z.object({ xid: z.string() }));
/** Within a second it is found out whether a commit was done whose answer was lost. */
const COMMIT_MS = 2_000;

/**
 * Adds what became of webhooks to what is known, once; those of connections that there are none of are left out. Returns how many bytes of bodies came to be
 * kept on this day, of connections of which some came.
 */
export async function writeTraffic(pool: Pool, traffic: readonly Traffic[]): Promise<Map<string, number>> {
  const throttled = traffic
    .filter(({ throttledAt }) => throttledAt !== null)
    .map(({ connectionId, throttled: count, throttledAt: at }) => ({ connectionId, count, at }));
  const topics = traffic.flatMap(({ connectionId, topics: of }) => [...of].map(([topic, at]) => ({ connectionId, topic, at })));
  const refusals = traffic.flatMap(({ connectionId, refusals: of }) => of.map((refusal, place) => ({ connectionId, place, ...refusal })));
  const counted = traffic.filter(({ refused, kept }) => refused > 0 || kept !== 0);
  const write = async (tx: Queryable) => {
    // First, and in one order: several receivers write, and the rows of a connection are written by one at a time.
    await tx.query(TRAFFIC, [jsonText(traffic.map(({ topics: _topics, refusals: _refusals, ...row }) => row))]);
    if (throttled.length > 0) await tx.query(THROTTLED, [jsonText(throttled)]);
    if (topics.length > 0) await writeTopics(tx, topics);
    if (refusals.length > 0) await writeRefusals(tx, refusals);
    const rows = counted.length === 0 ? [] : await readRows(tx, keptRows, { text: COUNTED, values: [jsonText(counted.map(countOf))] });
    const result = new Map(rows.flatMap(({ connectionId, span, kept }) => (span === 'day' && kept > 0 ? [[connectionId, kept] as const] : [])));
    return { result, xid: (await readOne(tx, xidRow, { text: `select ${XID} as xid` })).xid };
  };
  return inKnownTransaction(pool, write, COMMIT_MS);
}

function countOf({ connectionId, refused, refusedAt: at, kept }: Traffic) {
  return { connectionId, refused, at, kept };
}

// The other receivers' answers are ordered by time: a row of refusals ends with the last accepted one, no matter who had it.
const TRAFFIC = `insert into traffic as t (connection_id, accepted_at, refused_at, refused_code, refused_in_row)
  select c.id, x."acceptedAt", x."refusedAt", x."refusedCode", least(1000000000, x."refusedInARow")
  from jsonb_to_recordset($1) as x("connectionId" text, "acceptedAt" timestamptz, "refusedAt" timestamptz, "refusedCode" text, "refusedInARow" int)
  join connections c on c.id = x."connectionId" order by c.id
  on conflict (connection_id) do update set
    accepted_at = greatest(t.accepted_at, excluded.accepted_at),
    refused_at = greatest(t.refused_at, excluded.refused_at),
    refused_code = case when t.refused_at is null or excluded.refused_at >= t.refused_at then excluded.refused_code else t.refused_code end,
    refused_in_row = least(1000000000, case when excluded.accepted_at is null or t.refused_at > excluded.accepted_at then t.refused_in_row else 0 end
      + case when t.accepted_at >= excluded.refused_at then 0 else excluded.refused_in_row end)`;

const THROTTLED = `update connections c set throttled = c.throttled + t.count, throttled_at = greatest(c.throttled_at, t.at)
  from jsonb_to_recordset($1) as t("connectionId" text, count bigint, at timestamptz) where c.id = t."connectionId"`;

// In the order of rows that the job which counts the others writes to, too.
const COUNTED = `insert into counts as k (span, at, subject, refused, kept)
  select s.span, ${spanOf('s.span', 'coalesce(x.at, now())')}, c.id, x.refused, x.kept
  from jsonb_to_recordset($1) as x("connectionId" text, refused int, at timestamptz, kept bigint)
  join connections c on c.id = x."connectionId" cross join (values ('hour'), ('day')) s(span) order by 1 desc, 2, 3
  on conflict (span, at, subject) do update set refused = least(1000000000, k.refused::bigint + excluded.refused), kept = k.kept + excluded.kept
  returning subject as "connectionId", span, kept::float8 as kept`;

type OfConnection = { connectionId: string };

async function writeTopics(tx: Queryable, topics: readonly OfConnection[]): Promise<void> {
  await tx.query(TOPICS, [jsonText(topics)]);
  await tx.query(DROP_TOPICS, [idsOf(topics)]);
}

const TOPICS = `insert into traffic_topics as t (connection_id, topic, accepted_at)
  select c.id, x.topic, x.at from jsonb_to_recordset($1) as x("connectionId" text, topic text, at timestamptz)
  join connections c on c.id = x."connectionId" order by c.id, x.topic
  on conflict (connection_id, topic) do update set accepted_at = greatest(t.accepted_at, excluded.accepted_at)`;

const DROP_TOPICS = `delete from traffic_topics t using (
    select connection_id, topic, row_number() over (partition by connection_id order by accepted_at desc, topic) as place
    from traffic_topics where connection_id = any($1)) ranked
  where t.connection_id = ranked.connection_id and t.topic = ranked.topic and ranked.place > ${MOST_TOPICS}`;

async function writeRefusals(tx: Queryable, refusals: readonly OfConnection[]): Promise<void> {
  await tx.query(REFUSALS, [jsonText(refusals)]);
  await tx.query(DROP_REFUSALS, [idsOf(refusals)]);
}

// Locked against being closed meanwhile: of a disconnected store no addresses are kept.
const REFUSALS = `insert into refusals (connection_id, at, code, topic, client, counts, platform_delivery_id, headers, answer_ms)
  select c.id, x.at, x.code, x.topic, case when c.closed_at is null then x.client end, x.counts, x."deliveryId", x.headers, x.ms
  from jsonb_to_recordset($1) as x("connectionId" text, place int, at timestamptz, code text, topic text, client text, counts boolean, "deliveryId" text,
    headers jsonb, ms int)
  join connections c on c.id = x."connectionId" order by c.id, x.place for share of c`;

const DROP_REFUSALS = `delete from refusals r using (
    select id, row_number() over (partition by connection_id order by stays desc, at desc, id desc) as place
    from (select id, connection_id, at, row_number() over (partition by connection_id, counts order by at desc, id desc)
        <= case when counts then ${MOST_REFUSALS - MOST_STRANGERS} else ${MOST_STRANGERS} end as stays
      from refusals where connection_id = any($1)) ranked) placed
  where r.id = placed.id and placed.place > ${MOST_REFUSALS}`;

function idsOf(rows: readonly OfConnection[]): string[] {
  return [...new Set(rows.map(({ connectionId }) => connectionId))];
}

/** Takes the senders' addresses out of a connection's refusals. */
export async function forgetClients(pool: Pool, connectionId: string): Promise<void> {
  await pool.query(`update refusals set client = null, headers = '{}' where connection_id = $1 and client is not null`, [connectionId]);
}

const instant = z.string();
const traffic = z.object({
  connectionId: z.string(),
  lastAccepted: instant.nullable(),
  lastRefused: instant.nullable(),
  refusedCode: z.string().nullable(),
  refusedInARow: z.int(),
});
const trafficRows = rowsOf('traffic', traffic);
/** What became of a connection's webhooks: ISO instants, and how many were refused since one was accepted. */
export type KnownTraffic = z.output<typeof traffic>;
/** Of every connection that ever got a webhook. */
export async function everyTraffic(pool: Pool): Promise<KnownTraffic[]> {
  return readRows(pool, trafficRows, {
    text: `select connection_id as "connectionId", accepted_at as "lastAccepted", refused_at as "lastRefused", refused_code as "refusedCode",
      refused_in_row as "refusedInARow" from traffic`,
  });
}

const lastRows = rowsOf('traffic', z.object({ name: z.string(), ageSeconds: z.number().nullable() }));

/** The live connections, that of the last accepted webhook first, and how long ago that came; null: none came. */
export async function lastWebhooks(pool: Pool, most: number): Promise<z.output<typeof lastRows.schema>[]> {
  return readRows(pool, lastRows, {
    text: `select c.name, extract(epoch from now() - t.accepted_at)::float as "ageSeconds" from connections c left join traffic t on t.connection_id = c.id
      where c.closed_at is null order by t.accepted_at desc nulls last, c.created_at limit $1`,
    values: [most],
  });
}

const lastRow = rowsOf('traffic', z.object({ name: z.string(), at: z.string().nullable() }));

/** Of these connections the live one whose webhook was accepted last, and when; `at` null: none ever was. Null: none of them is live. */
export function lastReceived(pool: Pool, connections: readonly string[]): Promise<z.output<typeof lastRow.schema> | null> {
  return readRow(pool, lastRow, {
    text: `select c.name, t.accepted_at as at from connections c left join traffic t on t.connection_id = c.id
      where c.closed_at is null and c.id = any($1) order by t.accepted_at desc nulls last, c.created_at limit 1`,
    values: [connections],
  });
}
