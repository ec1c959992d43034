import { z } from 'zod';
import { type Place, SealBroken, type Sealer, UNBOUND } from '../seal.ts';
import type { Queryable } from './postgres.ts';
import { readRows, rowsOf } from './read-rows.ts';

const PAGE = 200;

/**
 * Seals anew, each for its row, what earlier releases sealed for none. Any number of processes may do so at once, and a value that is replaced
 * meanwhile stays; so does one that does not open, whose reader reports it.
 */
export async function bindSealed(db: Queryable, sealer: Pick<Sealer, 'seal' | 'open'>, { table, column }: Omit<Place, 'id'>): Promise<void> {
  const shape = rowsOf(table, z.object({ id: z.string(), sealed: z.string() }));
  const page = `select id::text, ${column} as sealed from ${table} where ${column} like $2 and id::text > $1 order by id::text limit ${PAGE}`;
  let last = '';
  for (;;) {
    const rows = await readRows(db, shape, { text: page, values: [last, `${UNBOUND}%`] });
    for (const { id, sealed } of rows) {
      last = id;
      const bound = sealedAnew(sealer, sealed, { table, column, id });
      if (bound !== null) await db.query(`update ${table} set ${column} = $3 where id::text = $1 and ${column} = $2`, [id, sealed, bound]);
    }
    if (rows.length < PAGE) return;
  }
}

function sealedAnew(sealer: Pick<Sealer, 'seal' | 'open'>, sealed: string, place: Place): string | null {
  try {
    return sealer.seal(sealer.open(sealed, place), place);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return null;
    throw thrown;
  }
}
