import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { patternOfBytes, type SealedPlace, type Sealer, sqlKeyId, sqlKeyIdOfBytes, unlessBroken } from '../../../platform/seal.ts';

/** A column of sealed texts, or bytes; `table` with its schema. */
export type SealedColumn = {
  table: string;
  column: string;
  purpose: string;
  /** The primary key, and its type. */
  key: string;
  type: 'uuid' | 'text' | 'bigint' | 'bytea';
  /** Of which table its texts are sealed for a column of this name; its own if absent. */
  placeTable?: string;
  /** SQL on `t`: the id of the place that a text is sealed for; the primary key as text if absent. */
  placeId?: string;
  /** SQL on `t`: the sealed text; the column itself if absent. */
  value?: string;
  /** SQL on `t` and `x.new`: the column with a new sealed text; that text if absent. */
  set?: string;
  /** They are bytes; `page`: rows that are sealed anew at a time, if they may be large. */
  bytes?: boolean;
  page?: number;
};

const counts = rowsOf('sealed texts', z.object({ last: z.string().nullable(), counts: z.record(z.string(), z.int()) }));
const text = z.object({ key: z.string(), place: z.string(), sealed: z.string() });
const texts = rowsOf('sealed texts', z.object({ last: z.string().nullable(), found: z.array(text) }));

const sealedIn = ({ column, value = `t.${column}` }: SealedColumn): string => value;
const keyIdIn = ({ bytes = false }: SealedColumn): string => (bytes ? sqlKeyIdOfBytes : sqlKeyId)('sealed');
const textOf = (sealed: string, { bytes = false }: SealedColumn): string => (bytes ? `encode(${sealed}, 'hex')` : sealed);

/** So many rows are looked through by a statement, however many have no sealed text: an index of those would be written with each step of an order. */
const LOOKED_THROUGH = 20_000;
/** Of large ones so many pages. */
const FEWER = 50;

/** SQL of the next rows of a table, after the primary key in the first value (null: from its beginning), and of the last key among them. */
function pageOf(column: SealedColumn): string {
  const { table, key, type, placeId = `t.${key}::text`, page } = column;
  return `with page as materialized (select t.${key} as key, ${placeId} as place, ${sealedIn(column)} as sealed from ${table} t
      where $1::text is null or t.${key} > $1::${type} order by t.${key} limit ${page === undefined ? LOOKED_THROUGH : page * FEWER})
    select (select key::text from page order by page.key desc limit 1) as last`;
}

/** By data key: how many texts of these columns it sealed. */
export async function countSealed(db: Queryable, columns: readonly SealedColumn[]): Promise<Map<string, number>> {
  const sealed = new Map<string, number>();
  for (const column of await columnsThere(db, columns)) {
    const counting = `${pageOf(column)}, (select coalesce(json_object_agg(id, count), '{}') from (
      select ${keyIdIn(column)} as id, count(*) from page where sealed is not null group by 1) c) as counts`;
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const page: z.output<typeof counts.schema> = await readOne(db, counts, { text: counting, values: [after] });
      for (const [id, count] of Object.entries(page.counts)) sealed.set(id, (sealed.get(id) ?? 0) + count);
      after = page.last;
    }
  }
  return sealed;
}

/** `ids`: of data keys. `after`: the primary key of the last row that was looked at. */
type Page = { column: SealedColumn; ids: readonly string[]; after: string | null };
export type PageSealed = { last: string; sealed: number; broken: string[] };

const PAGE = 200;

/** Seals the next rows of a column with the current key that were sealed with one of these. A row that changed meanwhile, or is locked, stays; so does one that does not open. */
export async function sealPageAnew(db: Queryable, sealer: Sealer, { column, ids, after }: Page): Promise<PageSealed | null> {
  const { table, placeTable = table, key, type, bytes = false, set = bytes ? `decode(x.new, 'hex')` : 'x.new', page: limit = PAGE } = column;
  const { last, found } = await readOne(db, texts, {
    text: `${pageOf(column)}, (select coalesce(json_agg(f), '[]') from (select key::text, place, ${textOf('sealed', column)} as sealed from (
      select * from page where ${keyIdIn(column)} = any($2) order by page.key limit ${limit}) f) f) as found`,
    values: [after, ids],
  });
  if (last === null) return null;
  const broken: string[] = [];
  const anew = found.flatMap(({ key: id, place, sealed }) => {
    const resealed = sealedAnew(sealer, sealed, { at: { table: placeTable, column: column.column, id: place }, bytes });
    if (resealed === null) broken.push(place);
    return resealed === null ? [] : [{ key: id, old: sealed, new: resealed }];
  });
  const { rowCount } = await db.query(
    `with x as (select * from jsonb_to_recordset($1) as x(key ${type}, old text, new text)),
      mine as materialized (select t.${key} as key, x.new from ${table} t join x on x.key = t.${key} where ${textOf(sealedIn(column), column)} = x.old
        order by t.${key} for update of t skip locked)
    update ${table} t set ${column.column} = ${set} from mine x where t.${key} = x.key`,
    [JSON.stringify(anew)],
  );
  const isMore = found.length === limit;
  return { last: (isMore ? found.at(-1)?.key : null) ?? last, sealed: rowCount ?? 0, broken };
}

/** Null: it was moved or changed. `bytes`: it is hex. */
function sealedAnew(sealer: Sealer, sealed: string, { at, bytes }: { at: SealedPlace; bytes: boolean }): string | null {
  return unlessBroken(() =>
    bytes ? sealer.sealBytes(sealer.openBytes(Buffer.from(sealed, 'hex'), at), at).toString('hex') : sealer.seal(sealer.open(sealed, at), at),
  );
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
