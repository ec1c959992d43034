import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../trail/service-acts.ts';

/** `why` is kept with the numbers that are skipped, for whoever asks for them later. */
type Advance = { merchant: string; to: number; who: string; why: string; now: Date };

/** Numbers that nobody will get, from the first to the last. */
export type Skipped = { first: number; last: number };

/** skipped null: `to` was the next number already. lower: `to` is below the next number, and nothing was changed. */
export type Raised = { is: 'advanced'; skipped: Skipped | null } | { is: 'lower'; next: number };

const sequences = rowsOf('compliance.merchants', z.object({ next: z.number() }));

/** Makes `to` the next document number of a merchant: upwards only. The numbers between are kept as skipped. Null: no number was given yet. */
export async function advanceNumbers(tx: Queryable, { merchant, to, who, why, now }: Advance): Promise<Raised | null> {
  const text = 'select next_number::float8 as next from compliance.merchants where id = $1 for update';
  const sequence = await readRow(tx, sequences, { text, values: [merchant] });
  if (sequence === null) return null;
  const { next } = sequence;
  if (to < next) return { is: 'lower', next };
  if (to === next) return { is: 'advanced', skipped: null };
  const skipped = { first: next, last: to - 1 };
  await tx.query('update compliance.merchants set next_number = $2 where id = $1', [merchant, to]);
  await tx.query('insert into compliance.skipped_numbers (merchant, first, last, why, who, at) values ($1, $2, $3, $4, $5, $6)', [
    merchant,
    skipped.first,
    skipped.last,
    why,
    who,
    now,
  ]);
  await writeServiceActs(tx, [{ who, act: 'numbers.advanced', subject: merchant, before: { next }, after: { next: to, skipped }, why }]);
  return { is: 'advanced', skipped };
}
