import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const ending = rowsOf(
  'compliance.api_keys',
  z.object({ id: z.string(), endsAt: z.string(), rotatedAt: z.string().nullable(), replacedBy: z.string().nullable() }),
);

/** A key that was rotated and is still live. `replacedBy`: the key that its last rotation made; null: the trail does not say. */
export type EndingKey = z.output<typeof ending.schema>;

const ENDING = `
  select k.id, ${isoText('k.ends_at')} as "endsAt", ${isoText('made.at')} as "rotatedAt", made.by as "replacedBy"
  from compliance.api_keys k left join lateral (
    select a.after ->> 'by' as by, a.at from compliance.acts a where a.act = 'key.rotated' and a.subject = k.id::text order by a.id desc limit 1) made on true
  where k.key_hash = any($1::bytea[]) and k.revoked_at is null and k.ends_at > now() order by k.ends_at, k.id`;

/** Those of these keys that were rotated: whoever still calls with one is refused when it ends. */
export async function endingKeys(db: Queryable, apiKeys: readonly string[]): Promise<EndingKey[]> {
  if (apiKeys.length === 0) return [];
  return readRows(db, ending, { text: ENDING, values: [apiKeys.map((key) => createHash('sha256').update(key).digest())] });
}
