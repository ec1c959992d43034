import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { lockSequence, type Skipped, setNext, skipNumbers } from './sequence.ts';

type Next = { merchant: string; to: number; by: Actor; why: string; now: Date };

/**
 * begun: no number was given before, and the first one will be this. skipped null: it was the next number already. lower: it is below the next number, and
 * nothing was changed. no-merchant: no shop here is or was of this company.
 */
export type NextSet = { is: 'begun' } | { is: 'advanced'; skipped: Skipped | null } | { is: 'lower'; next: number } | { is: 'no-merchant' };

const known = rowsOf('compliance.shops', z.object({ known: z.boolean() }));

const KNOWN = `select exists (select from compliance.shops where merchant = $1) or exists (select from compliance.merchants where id = $1) as known`;

/** What the operator says of a merchant's sequence: upwards only, once a number was given. */
export function setNextNumber(pool: Pool, { merchant, to, by, why, now }: Next): Promise<NextSet> {
  return inTransaction(pool, async (tx) => {
    if (!(await readOne(tx, known, { text: KNOWN, values: [merchant] })).known) return { is: 'no-merchant' };
    if (await begin(tx, { merchant, to, by, why, now })) return { is: 'begun' };
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

async function begin(tx: Queryable, { merchant, to, by, why }: Next): Promise<boolean> {
  const { rowCount } = await tx.query('insert into compliance.merchants (id, next_number) values ($1, $2) on conflict (id) do nothing', [merchant, to]);
  if (rowCount !== 1) return false;
  await writeServiceActs(tx, [{ who: by, act: 'numbers.advanced', subject: merchant, before: { next: null }, after: { next: to, skipped: null }, why }]);
  return true;
}

type TakeBack = Omit<Next, 'to' | 'now'>;

/** `next`: the first number of the skip. given: a number after the skip was given. none: nothing is skipped. */
export type TakenBack = { is: 'taken-back'; skipped: Skipped } | { is: 'given'; skipped: Skipped; given: number } | { is: 'none' };

const skips = rowsOf('compliance.skipped_numbers', z.object({ first: z.number(), last: z.number(), why: z.string(), who: z.string() }));

const LAST_SKIP =
  'select first::float8, last::float8, why, who from compliance.skipped_numbers where merchant = $1 order by compliance.skipped_numbers.first desc limit 1';

/** The last skip of a merchant's numbers is undone, as long as none above it was given: the next number is its first one again. */
export function takeBackSkip(pool: Pool, { merchant, by, why }: TakeBack): Promise<TakenBack> {
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
