import { takeResumed } from '../../bridge/ledger/database-acts.ts';
import { companiesOf, type DatabasePlace, lockPlace, type Marks, nextIn } from '../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { allSequences, beginSequence, documentNumberText, LAST_NUMBER, lockSequence, skipNumbers } from '../../service/numbers/sequence.ts';
import { restoredWords } from '../health/checks/machine.ts';
import { Refusal } from '../refusal.ts';
import { knownMerchant } from './numbers.ts';

/** The next document number of a company in the database, and as Redis or DATA_DIR knows it; null: the one or the other doesn't know it. */
export type CompanyNumbers = { merchant: string; next: number | null; known: number | null };

/** `why`: nothing is recorded; null: it is. */
export type RecordingState = { why: string | null; place: DatabasePlace; companies: CompanyNumbers[] };

/** How far the database got, and what is known of how far it had got. */
export async function recordingState(db: Queryable, place: DatabasePlace, known: Marks): Promise<RecordingState> {
  const sequences = (await hasService(db)) ? await allSequences(db) : [];
  const here = new Map(sequences.map(({ merchant, next }) => [merchant, next]));
  const merchants = [...new Set([...here.keys(), ...companiesOf(known)])].toSorted();
  const companies = merchants.map((merchant) => ({ merchant, next: here.get(merchant) ?? null, known: nextIn(known, merchant) }));
  return { why: restoredWords(place), place, companies };
}

/** What a person says of the numbers: which comes next, of each company by its ЕИК; `ahead`: of all others, so many above the highest that is known; `keep`: theirs are right. */
type Said = { next: ReadonlyMap<string, number>; ahead: number | null; keep: boolean };

type Reason = { by: Actor; why: string };

export type Resumed = { merchant: string; to: number };

/** Records again, with the numbers that a person says. Returns the companies whose next number was raised. */
export function resumeRecording(pool: Pool, known: Marks, { by, why, ...said }: Said & Reason): Promise<Resumed[]> {
  const next = new Map([...said.next].map(([companyUic, number]) => [knownMerchant(companyUic), number]));
  return inTransaction(pool, async (tx) => {
    const state = await recordingState(tx, await lockPlace(tx), known);
    if (state.why === null) throw new Refusal('conflict', 'nothing is stopped: orders are recorded');
    const strangers = [...next.keys()].filter((merchant) => !state.companies.some((one) => one.merchant === merchant));
    if (strangers.length > 0) throw new Refusal('missing', `no numbers were given here of the company ${strangers.join(', ')}`);
    const wanted = state.companies.map((one) => ({ ...one, to: wantedNext(one, { ...said, next }) }));
    const raised = wanted.filter(({ next: from, to }) => to > (from ?? 0)).map(({ merchant, to }) => ({ merchant, to }));
    for (const one of raised) await raise(tx, { ...one, by, why, now: new Date() });
    await takeResumed(tx, state.place, { by, why });
    return raised;
  });
}

/** The restored database may not know the company yet. */
async function raise(tx: Queryable, { merchant, to, by, why, now }: Resumed & Reason & { now: Date }): Promise<void> {
  if (await beginSequence(tx, { merchant, to, by, why, now })) return;
  const sequence = await lockSequence(tx, merchant);
  if (sequence === null) throw new Error('a sequence is gone: nobody deletes them');
  await skipNumbers(tx, { merchant, next: sequence.next, to, who: by, why, now });
}

function wantedNext({ merchant, next, known }: CompanyNumbers, { next: given, ahead, keep }: Said): number {
  const least = Math.max(next ?? 0, known ?? 0);
  const to = given.get(merchant) ?? (ahead === null ? (keep ? (next ?? 0) : null) : Math.min(least + ahead, LAST_NUMBER));
  if (to === null) {
    const advice = 'say it with --next, of all companies with --ahead, or with --keep-numbers that none was lost';
    throw new Refusal('invalid', `nobody said which document number comes next for the company ${merchant}`, { advice });
  }
  if (to < least) {
    throw new Refusal(
      'conflict',
      `the company ${merchant} had come to the number ${documentNumberText(least - 1)}: the next is ${documentNumberText(least)} at least`,
    );
  }
  if (to > LAST_NUMBER) throw new Refusal('invalid', `document numbers have ten digits: ${LAST_NUMBER} is the last one`);
  return to;
}
