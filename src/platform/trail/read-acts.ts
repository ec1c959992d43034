import { z } from 'zod';
import { isoText } from '../postgres/iso-text.ts';
import type { Queryable } from '../postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../postgres/read-rows.ts';
import type { Trail } from './trail.ts';

const keptAct = z.object({
  id: z.int(),
  at: z.string(),
  who: z.string(),
  act: z.string(),
  connectionId: z.string().nullable(),
  orderRef: z.int().nullable(),
  subject: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  why: z.string().nullable(),
});

/** An act as it was written. `at` is an ISO instant. */
export type KeptAct = z.output<typeof keptAct>;

const keptActs = rowsOf('acts', keptAct);

/** Absent: any. `beforeId`: only those that were written earlier, to go on with a list. */
export type ActsFilter = {
  connectionId?: string | undefined;
  orderRef?: number | undefined;
  who?: string | undefined;
  act?: string | undefined;
  subject?: string | undefined;
  beforeId?: number | undefined;
  limit: number;
};

/** The newest acts first. */
export async function readActs(
  db: Queryable,
  { schema }: Trail,
  { connectionId, orderRef, subject, who, act, beforeId, limit }: ActsFilter,
): Promise<KeptAct[]> {
  return readRows(db, keptActs, {
    text: `select id, ${isoText('at')} as at, who, act, connection_id as "connectionId", order_ref as "orderRef", subject, before, after, why
     from ${schema}.acts
     where ($1::text is null or connection_id = $1) and ($2::bigint is null or order_ref = $2) and ($3::bigint is null or id < $3)
       and ($4::text is null or who = $4) and ($5::text is null or act = $5) and ($7::text is null or subject = $7)
     order by id desc limit $6`,
    values: [connectionId ?? null, orderRef ?? null, beforeId ?? null, who ?? null, act ?? null, limit, subject ?? null],
  });
}

const thereRow = rowsOf('pg_class', z.object({ isThere: z.boolean() }));

/** Is this trail in the database? */
export async function hasTrail(db: Queryable, { schema }: Trail): Promise<boolean> {
  return (await readOne(db, thereRow, { text: `select to_regclass($1) is not null as "isThere"`, values: [`${schema}.acts`] })).isThere;
}
