import type { Queryable } from '../postgres/postgres.ts';
import type { Act, Trail } from './trail.ts';

/** Adds acts, within the transaction of what they tell of. */
export async function writeActs(tx: Queryable, { schema }: Trail, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return;
  await tx.query(
    `insert into ${schema}.acts (who, act, connection_id, order_ref, subject, before, after, why)
     select * from json_to_recordset($1::json) as a (who text, act text, "connectionId" text, "orderRef" bigint, subject text, before jsonb, after jsonb, why text)`,
    [JSON.stringify(acts)],
  );
}
