import { z } from 'zod';
import { SealBroken, type SealedPlace, type Sealer } from '../seal.ts';
import type { Queryable } from './postgres.ts';
import { readOne, readRows, rowsOf } from './read-rows.ts';

/** fits: something that is sealed opens with this key. other: things are sealed, and none that was looked at opens. nothing: nothing is sealed yet. */
export type KeyFit = 'fits' | 'other' | 'nothing';

const LOOKED_AT = 5;

/** Whether what the database holds sealed was sealed with this key. A table that is not there yet holds nothing. */
export async function keyFit(db: Queryable, sealer: Pick<Sealer, 'prefix' | 'open'>, columns: readonly Omit<SealedPlace, 'id'>[]): Promise<KeyFit> {
  let fit: KeyFit = 'nothing';
  for (const place of columns) {
    for (const { id, sealed } of await someSealed(db, place, sealer.prefix)) {
      if (opens(sealer, sealed, { ...place, id })) return 'fits';
      fit = 'other';
    }
  }
  return fit;
}

/** Those of this key first. */
async function someSealed(db: Queryable, { table, column }: Omit<SealedPlace, 'id'>, prefix: string): Promise<{ id: string; sealed: string }[]> {
  const there = await readOne(db, rowsOf(table, z.object({ there: z.boolean() })), { text: 'select to_regclass($1) is not null as there', values: [table] });
  if (!there.there) return [];
  const text = `select id::text, ${column} as sealed from ${table} where ${column} is not null
    order by starts_with(${column}, $1) desc limit ${LOOKED_AT}`;
  return readRows(db, rowsOf(table, z.object({ id: z.string(), sealed: z.string() })), { text, values: [prefix] });
}

/** What does not open because it was moved was sealed with this key all the same. */
function opens(sealer: Pick<Sealer, 'open'>, sealed: string, place: SealedPlace): boolean {
  try {
    sealer.open(sealed, place);
    return true;
  } catch (thrown) {
    if (thrown instanceof SealBroken) return thrown.why === 'place';
    throw thrown;
  }
}
