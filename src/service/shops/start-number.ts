import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import { invalidBody } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { ownsMerchant } from '../keys/company-owners.ts';
import {
  documentNumberText,
  givenNumber,
  HIGHEST_START,
  type LockedSequence,
  lockSequence,
  MOST_SKIPPED,
  nextNumberWords,
  setNext,
  skipNumbers,
} from '../numbers/sequence.ts';
import { companyClaimed } from './check-company.ts';

const starts = rowsOf('compliance.shops', z.object({ isFirst: z.boolean() }));

/** Throws a `HttpProblem`: the merchant of a shop with this start has no number yet, and such a first one would leave no room for others. */
export async function checkFirstStart(tx: Queryable, { shopId, start }: Omit<Action, 'now'>): Promise<void> {
  if (start <= HIGHEST_START) return;
  const text = `select ${givenNumber('s.merchant')} is null as "isFirst" from compliance.shops s where s.id = $1`;
  if ((await readOne(tx, starts, { text, values: [shopId] })).isFirst)
    throw wrongStart(`must be ${HIGHEST_START} or below for a merchant’s first document: numbers only rise`);
}

const merchants = rowsOf('compliance.shops', z.object({ merchant: z.string(), companyUic: z.string() }));

type Action = { shopId: string; start: number; now: Date };

/**
 * Another `receiptStartNumber` of a shop, which has it already. Once a number was given, the sequence goes on there, and what is skipped is kept with
 * who did it; the warnings say so. Throws a `HttpProblem`: it is below the next number or too far above those that were given, the operator said where the
 * sequence begins, or the numbers are another owner's.
 */
export async function moveStart(tx: Queryable, { keyId: ownerId, usedKeyId, isTest }: Caller, { shopId, start, now }: Action): Promise<FieldError[]> {
  const { merchant, companyUic } = await readOne(tx, merchants, {
    text: `select merchant, details ->> 'companyUic' as "companyUic" from compliance.shops where id = $1`,
    values: [shopId],
  });
  const sequence = await lockSequence(tx, merchant);
  if (sequence === null) return [];
  if (!isTest && !(await ownsMerchant(tx, { merchant, ownerId }))) throw companyClaimed({ usedKeyId, companyUic });
  const { next, given } = sequence;
  if (start === next) return [];
  if (given === null && !sequence.byOperator) {
    await setNext(tx, merchant, start);
    return [];
  }
  mustBeNear(sequence, start, companyUic);
  const skipped = await skipNumbers(tx, { merchant, next, to: start, who: `key:${usedKeyId}`, why: 'receiptStartNumber was raised', now });
  const [first, last] = [skipped.first, skipped.last].map(documentNumberText);
  return [{ path: 'receiptStartNumber', message: `skips the numbers ${first} to ${last}: they are kept as voided` }];
}

function mustBeNear({ next, given }: LockedSequence, start: number, companyUic: string): void {
  if (start < next) throw wrongStart(`can’t be lowered: the merchant’s document numbers have begun, ${nextNumberWords(next)}`);
  if (given !== null && start <= given + MOST_SKIPPED) return;
  const known =
    given === null ? 'another one than the operator of this service said' : `more than ${MOST_SKIPPED} above ${documentNumberText(given)}, the last one given`;
  throw wrongStart(`is ${known}; if it is right, ask the operator for \`orderbridge service numbers advance ${companyUic} --to ${start} --why REASON\``);
}

function wrongStart(message: string): Error {
  return invalidBody([{ path: 'receiptStartNumber', message }]);
}

type Shop = Pick<ShopDetails, 'receiptStartNumber'> & {
  id: string;
  /** Did the caller name a start number? */
  startNamed: boolean;
};

const neighbours = rowsOf('compliance.shops', z.object({ next: z.number().nullable(), twins: z.boolean() }));

/**
 * Warnings about values of a new shop that are accepted but conflict with its owner's other shops, or may be forgotten: a start number that comes too
 * late or was left out, an agency's number that another shop has. Shops of other owners are none of their business.
 */
export async function neighbourWarnings(db: Queryable, { id, receiptStartNumber, startNamed }: Shop): Promise<FieldError[]> {
  const { next, twins } = await readOne(db, neighbours, {
    text: `select (select m.next_number::float8 from compliance.merchants m where m.id = s.merchant) as next,
       exists (select from compliance.shops t where t.id <> s.id and t.api_key_id = s.api_key_id and t.details ->> 'nraNumber' = s.details ->> 'nraNumber') as twins
     from compliance.shops s where s.id = $1`,
    values: [id],
  });
  return [
    ...startWarning({ next, start: startNamed ? receiptStartNumber : null }),
    ...(twins ? [{ path: 'nraNumber', message: 'is the number of another shop here; the agency takes one file per number and month' }] : []),
  ];
}

/** `next` null: no number was given yet. `start` null: none was named. */
function startWarning({ next, start }: { next: number | null; start: number | null }): FieldError[] {
  const path = 'receiptStartNumber';
  if (next === null && start === null)
    return [
      {
        path,
        message: 'was left out: document numbers begin with 0000000001; if another system gave numbers already, name the next one before the first order',
      },
    ];
  if (next === null || start === null || start === next) return [];
  return [{ path, message: `has no effect: the merchant’s document numbers have begun, ${nextNumberWords(next)}` }];
}
