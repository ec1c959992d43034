import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { UnreadableRow } from '../../platform/postgres/unreadable-row.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const rawRow = rowsOf('inbox', z.object({ text: z.string(), body: z.string().nullable(), arrivedAt: z.iso.datetime({ offset: true }).nullable().catch(null) }));

/**
 * Moves an inbox row that can't be read to the deliveries in review, where people see it, can replay it, and erasures reach it.
 * False: it names no known connection, and stays.
 */
export async function sendUnreadableToReview(tx: Queryable, { id, message }: UnreadableRow): Promise<boolean> {
  const raw = await readRow(tx, rawRow, {
    text: `select delivery::text as text, delivery ->> 'body' as body, delivery ->> 'arrivedAt' as "arrivedAt" from inbox where id = $1`,
    values: [id],
  });
  if (raw === null) return false;
  const body = await wholeBody(raw.body);
  const detail = body === null ? `${message}; the row itself is kept instead of a body` : message;
  const { rowCount } = await tx.query(
    `with kept as (
       insert into deliveries (id, connection_id, topic, platform_delivery_id, store, arrived_at, outcome, code, detail, body)
       select i.id, c.id, coalesce(i.delivery ->> 'topic', ''), i.delivery ->> 'platformDeliveryId', i.delivery ->> 'store',
         coalesce($2::timestamptz, i.arrived_at), 'review', 'payload.unreadable', $3, $4
       from inbox i join connections c on c.id = i.delivery ->> 'connectionId' where i.id = $1
       on conflict (id) do nothing)
     delete from inbox i using connections c where i.id = $1 and c.id = i.delivery ->> 'connectionId'`,
    [id, raw.arrivedAt, detail, body ?? (await compress(raw.text))],
  );
  return rowCount === 1;
}

/** Null if it is not what other kept bodies are: whoever reads those (replay, erasure) must not stumble over this one. */
async function wholeBody(body: string | null): Promise<Buffer | null> {
  if (body === null) return null;
  const bytes = Buffer.from(body, 'base64');
  try {
    await decompress(bytes);
    return bytes;
  } catch {
    return null;
  }
}
