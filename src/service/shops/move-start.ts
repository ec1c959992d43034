import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { invalidBody } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { mayRaiseNumbers } from '../keys/company-owners.ts';
import { advanceNumbers } from '../numbers/advance-numbers.ts';
import { documentNumberText, nextNumberWords } from '../numbers/number-text.ts';
import { companyClaimed } from './check-company.ts';

const sequences = rowsOf('compliance.shops', z.object({ merchant: z.string(), companyUic: z.string(), begun: z.boolean() }));

type Move = { shopId: string; start: number; now: Date };

/**
 * Another `receiptStartNumber` of a shop, which has it already. Once numbers have begun, the sequence goes on there, and what is skipped is kept with
 * who did it; the warnings say so. Throws a `HttpProblem`: it is below the next number, or the numbers are another owner's, or those of
 * several owners whom nobody has confirmed.
 */
export async function moveStart(tx: Queryable, { keyId: ownerId, usedKeyId, isTest }: Caller, { shopId, start, now }: Move): Promise<FieldError[]> {
  const { merchant, companyUic, begun } = await readOne(tx, sequences, {
    text: `select s.merchant, s.details ->> 'companyUic' as "companyUic", exists (select from compliance.merchants m where m.id = s.merchant) as begun
      from compliance.shops s where s.id = $1`,
    values: [shopId],
  });
  if (!begun) return [];
  if (!isTest && !(await mayRaiseNumbers(tx, { merchant, ownerId }))) throw companyClaimed({ usedKeyId, companyUic });
  const advanced = await advanceNumbers(tx, { merchant, to: start, who: `key:${usedKeyId}`, why: 'receiptStartNumber was raised', now });
  if (advanced?.is === 'lower') throw tooLow(advanced.next);
  if (advanced === null || advanced.skipped === null) return [];
  const [first, last] = [advanced.skipped.first, advanced.skipped.last].map(documentNumberText);
  return [{ path: 'receiptStartNumber', message: `skips the numbers ${first} to ${last} for good: they are kept as voided` }];
}

function tooLow(next: number): Error {
  const message = `can’t be lowered: the merchant’s document numbers have begun, ${nextNumberWords(next)}`;
  return invalidBody([{ path: 'receiptStartNumber', message }]);
}
