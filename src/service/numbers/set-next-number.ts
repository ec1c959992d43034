import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { advanceNumbers, type Raised } from './advance-numbers.ts';

type Next = { merchant: string; to: number; by: Actor; why: string; now: Date };

/** begun: no number was given before, and the first one will be this. no-merchant: no shop here is or was of this company. */
export type NextSet = Raised | { is: 'begun' } | { is: 'no-merchant' };

const known = rowsOf('compliance.shops', z.object({ known: z.boolean() }));

const KNOWN = `select exists (select from compliance.shops where merchant = $1) or exists (select from compliance.merchants where id = $1) as known`;

/** What the operator says of a merchant's sequence: upwards only. */
export function setNextNumber(pool: Pool, { merchant, to, by, why, now }: Next): Promise<NextSet> {
  return inTransaction(pool, async (tx) => {
    if (!(await readOne(tx, known, { text: KNOWN, values: [merchant] })).known) return { is: 'no-merchant' };
    if (await begin(tx, { merchant, to, by, why, now })) return { is: 'begun' };
    const advanced = await advanceNumbers(tx, { merchant, to, who: by, why, now });
    if (advanced === null) throw new Error('a sequence is gone: nobody deletes them');
    return advanced;
  });
}

async function begin(tx: Queryable, { merchant, to, by, why }: Next): Promise<boolean> {
  const { rowCount } = await tx.query('insert into compliance.merchants (id, next_number) values ($1, $2) on conflict (id) do nothing', [merchant, to]);
  if (rowCount !== 1) return false;
  await writeServiceActs(tx, [{ who: by, act: 'numbers.advanced', subject: merchant, before: { next: null }, after: { next: to, skipped: null }, why }]);
  return true;
}
