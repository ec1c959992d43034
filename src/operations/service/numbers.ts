import { isCompanyId } from '../../contract/shop-dto.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import {
  documentNumberText,
  LAST_NUMBER,
  nextNumberWords,
  readSequence,
  type Sequence,
  type Skipped,
  setNextNumber,
  takeBackSkip,
} from '../../service/numbers/sequence.ts';
import { merchantOf } from '../../service/shops/check-company.ts';
import { Refusal } from '../refusal.ts';

/** The merchant of a company number; refuses one that is none. */
export function knownMerchant(companyUic: string): string {
  if (!isCompanyId(companyUic))
    throw new Refusal('invalid', {
      en: `${companyUic} is no company number (ЕИК): its check digit does not fit`,
      bg: `${companyUic} не е ЕИК: контролната цифра не отговаря`,
    });
  return merchantOf(companyUic);
}

export type SequenceOf = Sequence & { merchant: string };

/** The sequence of a company's document numbers, and its shops here. */
export async function numbersOf({ pool }: { pool: Pool }, companyUic: string): Promise<SequenceOf> {
  const merchant = knownMerchant(companyUic);
  const sequence = await readSequence(pool, merchant);
  if (sequence.next === null && sequence.shops.length === 0) throw unknownCompany(companyUic);
  return { merchant, ...sequence };
}

type Advance = { companyUic: string; to: number; why: string; by: Actor };

/** Makes `to` the next document number of a company, and says which numbers are skipped; null: none. Refuses to go down once a number was given. */
export async function advanceTo({ pool }: { pool: Pool }, { companyUic, to, why, by }: Advance): Promise<Skipped | null> {
  const merchant = knownMerchant(companyUic);
  if (to > LAST_NUMBER) throw new Refusal('invalid', `document numbers have ten digits: ${LAST_NUMBER} is the last one`);
  const set = await setNextNumber(pool, { merchant, to, by, why, now: new Date() });
  switch (set.is) {
    case 'begun':
      return null;
    case 'advanced':
      return set.skipped;
    case 'lower':
      throw new Refusal('conflict', `numbers only rise, ${nextNumberWords(set.next)}: one that was given is never given again`);
    case 'no-merchant':
      throw unknownCompany(companyUic);
  }
}

/** Takes back the last skip of a company's document numbers, whose first one is the next number again. Refuses if a number above it was given. */
export async function takeBack({ pool }: { pool: Pool }, { companyUic, why, by }: Omit<Advance, 'to'>): Promise<Skipped> {
  const taken = await takeBackSkip(pool, { merchant: knownMerchant(companyUic), by, why });
  switch (taken.is) {
    case 'taken-back':
      return taken.skipped;
    case 'given': {
      const [first, last, given] = [taken.skipped.first, taken.skipped.last, taken.given].map(documentNumberText);
      throw new Refusal('conflict', `the numbers ${first} to ${last} can’t be taken back: ${given} was given after them`);
    }
    case 'none':
      throw new Refusal('missing', `no numbers of the company ${companyUic} are skipped`);
  }
}

function unknownCompany(companyUic: string): Refusal {
  return new Refusal('missing', { english: `no shop here is of the company ${companyUic}`, advice: '`orderbridge service shops list` shows them' });
}
