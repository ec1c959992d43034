import { z } from 'zod';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { companiesOf, type Marks, nextIn } from '../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';

const sequences = rowsOf('compliance.merchants', z.object({ next: z.number(), given: z.number().nullable(), byOperator: z.boolean() }));

/** `given`: the highest number that was ever given; null: none was. `byOperator`: the operator said once which number is the next. */
export type LockedSequence = z.output<typeof sequences.schema>;

/** The highest number that a merchant's documents ever got, those of deleted orders and shops included; null: none. `merchant`: an expression of SQL. */
export function givenNumber(merchant: string): string {
  return `greatest((select max(o.document_number) from compliance.orders o where o.merchant = ${merchant}),
    (select max(f.document_number) from compliance.filed_sales f where f.merchant = ${merchant}),
    (select max(v.number) from compliance.voided_numbers v where v.merchant = ${merchant}))`;
}

const LOCK = 'select from compliance.merchants where id = $1 for update';
const READ = `select m.next_number::float8 as next, ${givenNumber('m.id')}::float8 as given,
    exists (select from compliance.acts a where a.subject = m.id and a.act = 'numbers.advanced' and a.who not like 'key:%') as "byOperator"
  from compliance.merchants m where m.id = $1`;

/** A merchant's sequence until the end of the transaction: no number is given meanwhile. Null: it has not begun. */
export async function lockSequence(tx: Queryable, merchant: string): Promise<LockedSequence | null> {
  // What was given is read after the lock is had, by a statement of its own: it sees what was waited for.
  await tx.query(LOCK, [merchant]);
  return readRow(tx, sequences, { text: READ, values: [merchant] });
}

/** Numbers that nobody gets, from the first to the last. */
export type Skipped = { first: number; last: number };

/** `why` is kept with the numbers that are skipped, for anyone who asks for them later. */
type Skip = { merchant: string; next: number; to: number; who: string; why: string; now: Date };

/** Makes `to` the next number of a locked sequence; those from `next` on are kept as skipped. */
export async function skipNumbers(tx: Queryable, { merchant, next, to, who, why, now }: Skip): Promise<Skipped> {
  const skipped = { first: next, last: to - 1 };
  await setNext(tx, merchant, to);
  await tx.query('insert into compliance.skipped_numbers (merchant, first, last, why, who, at) values ($1, $2, $3, $4, $5, $6)', [
    ...[merchant, skipped.first, skipped.last, why, who, now],
  ]);
  await writeServiceActs(tx, [{ who, act: 'numbers.advanced', subject: merchant, before: { next }, after: { next: to, skipped }, why }]);
  return skipped;
}

export async function setNext(tx: Queryable, merchant: string, next: number): Promise<void> {
  await tx.query('update compliance.merchants set turn = turn + (next_number > $2)::int, next_number = $2 where id = $1', [merchant, next]);
}

type Next = { merchant: string; to: number; by: Actor; why: string; now: Date };

/**
 * begun: no number was given before, and the first one will be this. skipped null: it was the next number already. lower: it is below the next number, and
 * nothing was changed. no-merchant: no shop here is or was of this company.
 */
type NextSet = { is: 'begun' } | { is: 'advanced'; skipped: Skipped | null } | { is: 'lower'; next: number } | { is: 'no-merchant' };

const known = rowsOf('compliance.shops', z.object({ known: z.boolean() }));

const KNOWN = `select exists (select from compliance.shops where merchant = $1) or exists (select from compliance.merchants where id = $1) as known`;

/** What the operator says of a merchant's sequence: upwards only, once a number was given. */
export function setNextNumber(pool: Pool, { merchant, to, by, why, now }: Next): Promise<NextSet> {
  return inTransaction(pool, async (tx) => {
    if (!(await readOne(tx, known, { text: KNOWN, values: [merchant] })).known) return { is: 'no-merchant' };
    if (await beginSequence(tx, { merchant, to, by, why, now })) return { is: 'begun' };
    const sequence = await lockSequence(tx, merchant);
    if (sequence === null) throw new Error('a sequence is gone: nobody deletes them');
    const { next, given } = sequence;
    if (to === next) return { is: 'advanced', skipped: null };
    if (given !== null)
      return to < next ? { is: 'lower', next } : { is: 'advanced', skipped: await skipNumbers(tx, { merchant, next, to, who: by, why, now }) };
    await setNext(tx, merchant, to);
    await writeServiceActs(tx, [{ who: by, act: 'numbers.advanced', subject: merchant, before: { next }, after: { next: to, skipped: null }, why }]);
    return { is: 'begun' };
  });
}

/** False: it had begun. */
async function beginSequence(tx: Queryable, { merchant, to, by, why }: Next): Promise<boolean> {
  const { rowCount } = await tx.query('insert into compliance.merchants (id, next_number) values ($1, $2) on conflict (id) do nothing', [merchant, to]);
  if (rowCount !== 1) return false;
  await writeServiceActs(tx, [{ who: by, act: 'numbers.advanced', subject: merchant, before: { next: null }, after: { next: to, skipped: null }, why }]);
  return true;
}

/** `next`: the first number of the skip. given: a number after the skip was given. none: nothing is skipped. */
type UndoneSkip = { is: 'taken-back'; skipped: Skipped } | { is: 'given'; skipped: Skipped; given: number } | { is: 'none' };

const skips = rowsOf('compliance.skipped_numbers', z.object({ first: z.number(), last: z.number(), why: z.string(), who: z.string() }));

const LAST_SKIP =
  'select first::float8, last::float8, why, who from compliance.skipped_numbers where merchant = $1 order by compliance.skipped_numbers.first desc limit 1';

/** The last skip of a merchant's numbers is undone, as long as none above it was given: the next number is its first one again. */
export function takeBackSkip(pool: Pool, { merchant, by, why }: Omit<Next, 'to' | 'now'>): Promise<UndoneSkip> {
  return inTransaction(pool, async (tx) => {
    const sequence = await lockSequence(tx, merchant);
    const skip = sequence === null ? null : await readRow(tx, skips, { text: LAST_SKIP, values: [merchant] });
    if (sequence === null || skip === null) return { is: 'none' };
    const { first, last } = skip;
    const { next, given } = sequence;
    if (given !== null && given >= first) return { is: 'given', skipped: { first, last }, given };
    await setNext(tx, merchant, first);
    await tx.query('delete from compliance.skipped_numbers where merchant = $1 and first = $2', [merchant, first]);
    await writeServiceActs(tx, [{ who: by, act: 'numbers.taken-back', subject: merchant, before: { next, skipped: skip }, after: { next: first }, why }]);
    return { is: 'taken-back', skipped: { first, last } };
  });
}

const sequenceRows = rowsOf(
  'compliance.merchants',
  z.object({
    next: z.number().nullable(),
    given: z.array(z.object({ first: z.number(), last: z.number(), voided: z.int() })),
    skipped: z.array(z.object({ first: z.number(), last: z.number(), why: z.string(), who: z.string(), at: z.string() })),
    shops: z.array(z.object({ id: z.string(), name: z.string(), ownerId: z.string(), orders: z.int() })),
    owners: z.array(z.string()),
  }),
);

/**
 * A merchant's sequence of document numbers. `next` null: it has not begun. `given`: the first 200 runs of numbers that documents got, with those of
 * each whose order was deleted (`voided`). `skipped`: numbers that nobody got. `owners`: the first keys of those who may create shops of the merchant.
 */
export type Sequence = z.output<typeof sequenceRows.schema>;

const SEQUENCE = `
  with numbers as (
    select document_number as number, false as voided from compliance.orders where merchant = $1
    union select document_number, false from compliance.filed_sales where merchant = $1
    union select number, true from compliance.voided_numbers where merchant = $1
  ), once as (select number, bool_and(voided) as voided from numbers group by number),
  runs as (
    select min(number) as first, max(number) as last, count(*) filter (where voided)::int as voided
    from (select number, voided, number - row_number() over (order by number) as run from once) n group by run order by 1 limit 200
  )
  select (select next_number::float8 from compliance.merchants where id = $1) as next,
    (select coalesce(json_agg(r order by r.first), '[]') from runs r) as given,
    (select coalesce(json_agg(json_build_object('first', first, 'last', last, 'why', why, 'who', who, 'at', ${isoText('at')}) order by first), '[]')
      from compliance.skipped_numbers where merchant = $1) as skipped,
    (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.details ->> 'name', 'ownerId', s.api_key_id,
        'orders', (select count(*)::int from compliance.orders o where o.shop_id = s.id)) order by s.created_at, s.id), '[]')
      from compliance.shops s where s.merchant = $1) as shops,
    (select coalesce(json_agg(owner_id order by since, owner_id), '[]') from compliance.company_owners where merchant = $1) as owners`;

export function readSequence(db: Queryable, merchant: string): Promise<Sequence> {
  return readOne(db, sequenceRows, { text: SEQUENCE, values: [merchant] });
}

const nextRows = rowsOf('compliance.merchants', z.object({ merchant: z.string(), next: z.number() }));

/** The next document number of a company in the database, and as it is known outside; null: the one or the other doesn't know it. */
export type CompanyNumbers = { merchant: string; next: number | null; known: number | null };

/** Of each company; `known`: what is known outside of the database. */
export async function companyNumbers(db: Queryable, known: Marks): Promise<CompanyNumbers[]> {
  const text = 'select id as merchant, next_number::float8 as next from compliance.merchants';
  const here = new Map((await readRows(db, nextRows, { text })).map(({ merchant, next }) => [merchant, next]));
  const merchants = [...new Set([...here.keys(), ...companiesOf(known)])].toSorted();
  return merchants.map((merchant) => ({ merchant, next: here.get(merchant) ?? null, known: nextIn(known, merchant) }));
}

/** Makes `to` the next number of a company, whether or not its sequence had begun. */
export async function raiseNumber(tx: Queryable, raised: Next): Promise<void> {
  if (await beginSequence(tx, raised)) return;
  const { merchant, to, by, why, now } = raised;
  const sequence = await lockSequence(tx, merchant);
  if (sequence === null) throw new Error('a sequence is gone: nobody deletes them');
  await skipNumbers(tx, { merchant, next: sequence.next, to, who: by, why, now });
}

const recent = rowsOf(
  'compliance.skipped_numbers',
  z.object({ merchant: z.string(), count: z.number(), first: z.number(), last: z.number(), who: z.string(), at: z.string() }),
);

/** What was skipped of a merchant's numbers: how many in all, and the newest range. */
export type RecentSkip = z.output<typeof recent.schema>;

/** Merchants whose numbers were skipped since, test shops aside. */
export function skippedSince(db: Queryable, since: Date): Promise<RecentSkip[]> {
  return readRows(db, recent, {
    text: `select distinct on (merchant) merchant, (sum(last - first + 1) over (partition by merchant))::float8 as count, first::float8, last::float8, who,
        ${isoText('at')} as at
      from compliance.skipped_numbers k where k.at >= $1 and merchant not like 'T%' order by merchant, k.at desc, k.first desc`,
    values: [since],
  });
}

/** The last document number of a sequence. */
export const LAST_NUMBER = 9_999_999_999;

/** The highest number at which a sequence begins, unless the operator says otherwise: it has room to go on. */
export const HIGHEST_START = 9_000_000_000;

/** A key raises the next number to so many above the highest that was ever given; the operator to any. */
export const MOST_SKIPPED = 100_000;

/** A document number as documents bear it: ten digits. */
export function documentNumberText(number: number): string {
  return String(number).padStart(10, '0');
}

/** Which document number comes next. */
export function nextNumberWords(next: number): string {
  return next > LAST_NUMBER ? 'and none is left' : `the next is ${documentNumberText(next)}`;
}
