import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../trail/service-acts.ts';

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

/** `why` is kept with the numbers that are skipped, for whoever asks for them later. */
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
  await tx.query('update compliance.merchants set next_number = $2 where id = $1', [merchant, next]);
}
