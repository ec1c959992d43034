import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readEach, readOne, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { UnreadableRow } from '../../../platform/postgres/unreadable-row.ts';
import type { Sealer } from '../../../platform/seal.ts';
import { type AcceptedDelivery, acceptedDelivery } from '../../delivery/jobs.ts';
import { openBody, sealBody, sealDelivery } from '../../delivery/sealed-delivery.ts';
import { jsonText } from '../json-columns.ts';

const inboxRows = rowsOf('inbox', z.object({ id: z.string(), delivery: acceptedDelivery }));
const inboxCount = rowsOf('inbox', z.object({ count: z.int() }));

/** The inbox: where deliveries wait that the queue did not take, or could lose. */
export async function putInInbox(db: Queryable, delivery: AcceptedDelivery): Promise<void> {
  await db.query('insert into inbox (id, delivery, arrived_at) values ($1, $2, $3) on conflict (id) do nothing', [
    delivery.id,
    jsonText(sealDelivery(sealerOf(db), delivery)),
    delivery.arrivedAt,
  ]);
}

/** As large as a delivery is when it is stored. Random, as what is compressed. */
const PROBE_BYTES = 6_000;

/** Writes what a delivery takes, and deletes it in the same transaction; rejects if there is no room for it. */
export async function probeInbox(pool: Pool): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const id = randomUUIDv7();
    const filler = randomBytes(PROBE_BYTES).toString('base64');
    await tx.query('insert into inbox (id, delivery, arrived_at) values ($1, $2, now())', [id, JSON.stringify({ filler })]);
    await tx.query('delete from inbox where id = $1', [id]);
  });
}

type InboxMove = {
  size: number;
  /** Ids of those that stayed: they are passed over. */
  without: readonly string[];
  /** Takes them for good, but for those that it resolves with. */
  take(deliveries: AcceptedDelivery[]): Promise<readonly AcceptedDelivery[]>;
  /** It needs review; or, if it names no known connection, stays in the inbox, behind all others. */
  onUnreadable(row: UnreadableRow, review: boolean): void;
};

/** How many left the inbox, and the ids of those that stayed. */
type InboxMoved = { gone: number; stayed: string[] };

const SENDER = `coalesce(i.delivery ->> 'connectionId', '')`;
/** A page on which connections take turns, the oldest of each first; it may be shorter than what is left. Each step of the recursion finds the next connection in the index. */
const ROUND_ROBIN_PAGE = `with recursive senders as (
    (select ${SENDER} as id from inbox i order by 1 limit 1)
    union all
    select (select ${SENDER} from inbox i where ${SENDER} > senders.id order by 1 limit 1) from senders where senders.id is not null),
  ordered as (
    select own.* from senders cross join lateral (
      select i.id, i.arrived_at, row_number() over (order by i.arrived_at) as place from inbox i where ${SENDER} = senders.id and i.id <> all($2) order by i.arrived_at
        limit greatest(1, $1 / (select count(*) from senders where senders.id is not null))) own
    order by own.place, own.arrived_at limit $1)
  select i.id, i.delivery from ordered join inbox i on i.id = ordered.id order by ordered.place, ordered.arrived_at for update of i skip locked`;

/** Hands on a page of the inbox. The rows are locked until they are taken, and a crash makes a duplicate, never a loss. */
export async function moveInbox(pool: Pool, { size, without, take, onUnreadable }: InboxMove): Promise<InboxMoved> {
  return inTransaction(pool, async (tx) => {
    const { readable, unreadable } = await readEach(tx, inboxRows, { text: ROUND_ROBIN_PAGE, values: [size, without] });
    const [stayed, taken]: [string[], string[]] = [[], []];
    for (const row of unreadable) {
      const review = await sendUnreadableToReview(tx, row);
      onUnreadable(row, review);
      if (!review) stayed.push(String(row.id));
    }
    await tx.query('update inbox set arrived_at = now() where id = any($1)', [stayed]);
    const left = new Set(readable.length === 0 ? [] : await take(readable.map(({ delivery }) => delivery)));
    for (const { id, delivery } of readable) (left.has(delivery) ? stayed : taken).push(id);
    await tx.query('delete from inbox where id = any($1)', [taken]);
    return { gone: readable.length + unreadable.length - stayed.length, stayed };
  });
}

export async function inboxSize(pool: Pool): Promise<number> {
  const { count } = await readOne(pool, inboxCount, { text: 'select count(*) as count from inbox' });
  return count;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const rawRow = rowsOf('inbox', z.object({ text: z.string(), body: z.string().nullable(), arrivedAt: z.iso.datetime({ offset: true }).nullable().catch(null) }));

/**
 * Moves an inbox row that can't be read to the deliveries in review, where people see it, can replay it, and erasures reach it.
 * False: it names no known connection, and stays.
 */
async function sendUnreadableToReview(tx: Queryable, { id: rowId, message }: UnreadableRow): Promise<boolean> {
  const raw = await readRow(tx, rawRow, {
    text: `select delivery::text as text, delivery ->> 'body' as body, delivery ->> 'arrivedAt' as "arrivedAt" from inbox where id = $1`,
    values: [rowId],
  });
  if (raw === null) return false;
  const id = String(rowId);
  const sealer = sealerOf(tx);
  const body = await wholeBody(sealer, { id, body: raw.body });
  const detail = body === null ? `${message}; the row itself is kept instead of a body` : message;
  const { rowCount } = await tx.query(
    `with kept as (
       insert into deliveries (id, connection_id, topic, platform_delivery_id, store, arrived_at, outcome, code, detail, body)
       select i.id, c.id, coalesce(i.delivery ->> 'topic', ''), i.delivery ->> 'platformDeliveryId', i.delivery ->> 'store',
         coalesce($2::timestamptz, i.arrived_at), 'review', 'payload.unreadable', $3, $4
       from inbox i join connections c on c.id = i.delivery ->> 'connectionId' where i.id = $1
       on conflict (id) do nothing)
     delete from inbox i using connections c where i.id = $1 and c.id = i.delivery ->> 'connectionId'`,
    [id, raw.arrivedAt, detail, body ?? sealBody(sealer, { id, body: await compress(raw.text) })],
  );
  return rowCount === 1;
}

/** Null if it is not what other kept bodies are: anyone who reads those (replay, erasure) must not stumble over this one. */
async function wholeBody(sealer: Sealer, { id, body }: { id: string; body: string | null }): Promise<Buffer | null> {
  if (body === null) return null;
  const bytes = Buffer.from(body, 'base64');
  try {
    await decompress(openBody(sealer, { id, body: bytes }));
    return bytes;
  } catch {
    return null;
  }
}
