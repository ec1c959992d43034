import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Connection } from '../connections/connection.ts';

const untilRow = rowsOf('connections', z.object({ until: z.string().nullable() }));

/** Until when a store was recorded for other shops, as the platform's own id of it tells; null: it was not, or its id is not known. ISO instant. */
export async function recordedElsewhereUntil(
  db: Queryable,
  { platform, storeIdentity, shopId }: Pick<Connection, 'platform' | 'storeIdentity' | 'shopId'>,
): Promise<string | null> {
  const until = 'max(case when c.trial_since is null then c.closed_at else c.recorded_until end)';
  const text = `select ${isoText(until)} as until from connections c
    where c.platform = $1 and c.store_identity = $2 and c.shop_id <> $3 and c.closed_at is not null`;
  return (await readOne(db, untilRow, { text, values: [platform, storeIdentity, shopId] })).until;
}
