import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { patternOfBytes, SealBroken, type SealedPlace, type Sealer, sqlKeyId, sqlKeyIdOfBytes } from '../../../platform/seal.ts';

/** A column of sealed texts, or bytes; `table` with its schema. */
export type SealedColumn = {
  table: string;
  column: string;
  purpose: string;
  /** The primary key, and its type. */
  key: string;
  type: 'uuid' | 'text' | 'bigint' | 'bytea';
  /** SQL on `t`: the id of the place that a text is sealed for; the primary key as text if absent. */
  placeId?: string;
  /** SQL on `t`: the sealed text; the column itself if absent. */
  value?: string;
  /** SQL on `t` and `x.new`: the column with a new sealed text; that text if absent. */
  set?: string;
  /** They are bytes; `page`: rows that are sealed anew at a time, if they may be large. */
  bytes?: true;
  page?: number;
};

const counts = rowsOf('sealed texts', z.object({ id: z.string(), count: z.int() }));
const texts = rowsOf('sealed texts', z.object({ key: z.string(), placeId: z.string(), sealed: z.union([z.string(), z.instanceof(Buffer)]) }));

const sealedIn = ({ column, value = `t.${column}` }: SealedColumn): string => value;
const keyIdIn = (column: SealedColumn): string => (column.bytes === true ? sqlKeyIdOfBytes : sqlKeyId)(sealedIn(column));

/** For statements that read as many rows as there are. */
function withoutTimeout<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('set local statement_timeout = 0');
    return work(tx);
  });
}

/** By data key: how many texts of these columns it sealed. */
export async function countSealed(pool: Pool, columns: readonly SealedColumn[]): Promise<Map<string, number>> {
  const sealed = new Map<string, number>();
  for (const column of await columnsThere(pool, columns)) {
    const text = `select ${keyIdIn(column)} as id, count(*) from ${column.table} t where ${sealedIn(column)} is not null group by 1 order by 1`;
    for (const { id, count } of await withoutTimeout(pool, (tx) => readRows(tx, counts, { text }))) sealed.set(id, (sealed.get(id) ?? 0) + count);
  }
  return sealed;
}

/** `ids`: of data keys. `after`: the primary key of the last row that was looked at. */
type Page = { column: SealedColumn; ids: readonly string[]; after: string | null };
export type PageSealed = { last: string; sealed: number; broken: string[] };

const PAGE = 200;

/** Seals the next rows of a column with the current key that were sealed with one of these. A row that somebody else has locked stays for the next time; so does one that does not open. */
export function sealPageAnew(pool: Pool, sealer: Sealer, { column, ids, after }: Page): Promise<PageSealed | null> {
  const { table, key, type, placeId = `t.${key}::text`, bytes = false, page = PAGE } = column;
  const value = sealedIn(column);
  const fresh = bytes ? `decode(x.new, 'hex')` : 'x.new';
  return withoutTimeout(pool, async (tx) => {
    const rows = await readRows(tx, texts, {
      text: `select t.${key}::text as key, ${placeId} as "placeId", ${value} as sealed from ${table} t
        where ${keyIdIn(column)} = any($1)${after === null ? '' : ` and t.${key} > $2::${type}`} order by t.${key} limit ${page}
        for update of t skip locked`,
      values: after === null ? [ids] : [ids, after],
    });
    const last = rows.at(-1);
    if (last === undefined) return null;
    const broken: string[] = [];
    const anew = rows.flatMap(({ key: id, placeId: place, sealed }) => {
      const resealed = sealedAnew(sealer, sealed, { table, column: column.column, id: place });
      if (resealed === null) broken.push(place);
      return resealed === null ? [] : [{ key: id, new: typeof resealed === 'string' ? resealed : resealed.toString('hex') }];
    });
    const { rowCount } = await tx.query(
      `update ${table} t set ${column.column} = ${column.set ?? fresh} from jsonb_to_recordset($1) as x(key ${type}, new text) where t.${key} = x.key`,
      [JSON.stringify(anew)],
    );
    return { last: last.key, sealed: rowCount ?? 0, broken };
  });
}

/** Null: it was moved or changed. */
function sealedAnew(sealer: Sealer, sealed: string | Buffer, place: SealedPlace): string | Buffer | null {
  try {
    return typeof sealed === 'string' ? sealer.seal(sealer.open(sealed, place), place) : sealer.sealBytes(sealer.openBytes(sealed, place), place);
  } catch (thrown) {
    if (!(thrown instanceof SealBroken) || thrown.why !== 'place') throw thrown;
    return null;
  }
}

const there = rowsOf('sealed texts', z.object({ table: z.string() }));

/** Those whose tables this database has: our own compliance service need not be in it. */
export async function columnsThere<Column extends SealedColumn>(db: Queryable, columns: readonly Column[]): Promise<Column[]> {
  const rows = await readRows(db, there, {
    text: 'select distinct "table" from unnest($1::text[]) as "table" where to_regclass("table") is not null',
    values: [columns.map(({ table }) => table)],
  });
  return columns.filter(({ table }) => rows.some((row) => row.table === table));
}

const inboxCounts = rowsOf('inbox', z.object({ count: z.int() }));

/** A pattern of JSON, such as that of a job, with something that one of these data keys sealed. */
export const sealedBy = (ids: readonly string[]): string => `v1\\.(${ids.join('|')})\\.|"body": ?"${patternOfBytes(ids)}`;

/** How many deliveries in the inbox hold what one of these data keys sealed. They leave it by themselves, once the queue takes them. */
export async function countInInbox(db: Queryable, ids: readonly string[]): Promise<number> {
  return (await readOne(db, inboxCounts, { text: 'select count(*) from inbox where delivery::text ~ $1', values: [sealedBy(ids)] })).count;
}
