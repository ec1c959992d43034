import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';

const markRow = rowsOf('connections', z.object({ mark: z.string() }));
const MARK = `select md5(coalesce(c.store_access, '') || ' ' || coalesce(t.token, '')) as mark
  from connections c left join store_tokens t on t.connection_id = c.id where c.id = $1`;

/** What a connection's store is called with at this moment, as a mark that says nothing of it: others have another one. Null: there is no connection. */
export async function storeKeysMark(db: Queryable, id: string): Promise<string | null> {
  return (await readRow(db, markRow, { text: MARK, values: [id] }))?.mark ?? null;
}

/** Removes the access tokens of a connection whose row is locked; false: `mark` is given, and is not that of its keys. */
export async function forgetTokens(tx: Queryable, { id, mark }: { id: string; mark: string | null }): Promise<boolean> {
  await tx.query('select from store_tokens where connection_id = $1 for update', [id]);
  if (mark !== null && (await storeKeysMark(tx, id)) !== mark) return false;
  await tx.query('delete from store_tokens where connection_id = $1', [id]);
  return true;
}
