import { type RecordingPlace, recordingPlace, resumeAt } from '../../bridge/ledger/database-acts.ts';
import type { Config } from '../../config/config.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Marks } from '../../platform/postgres/database-place.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { type CompanyNumbers, companyNumbers, documentNumberText, LAST_NUMBER, raiseNumber } from '../../service/numbers/sequence.ts';
import { stopWords } from '../health/checks/machine.ts';
import { Refusal } from '../refusal.ts';
import { knownMerchant } from './numbers.ts';

/** `why`: nothing is recorded; null: it is. */
export type RecordingState = { why: string | null; companies: CompanyNumbers[] };

/** By which the database is known outside of it. */
export async function databaseId(pool: Pool): Promise<string> {
  return (await recordingPlace(pool)).id;
}

/** How far the database got, and what is known of how far it had got. */
export async function recordingState(pool: Pool, known: Marks): Promise<RecordingState> {
  return stateOf(pool, await recordingPlace(pool), known);
}

async function stateOf(db: Queryable, { stop }: RecordingPlace, known: Marks): Promise<RecordingState> {
  return { why: stop === null ? null : stopWords[stop], companies: (await hasService(db)) ? await companyNumbers(db, known) : [] };
}

/** What a person says of the numbers: which comes next, of each company by its ЕИК; `ahead`: of all others, so many above the highest that is known; `keep`: theirs are right. */
type Said = { next: ReadonlyMap<string, number>; ahead: number | null; keep: boolean };

type Access = { pool: Pool; config: Pick<Config, 'database' | 'dataDir'> };

type Raised = { merchant: string; to: number };

/** Records again, with the numbers that a person says. Returns the companies whose next number was raised. */
export function resumeRecording({ pool, config }: Access, known: Marks, { by, why, ...said }: Said & { by: Actor; why: string }): Promise<Raised[]> {
  const next = new Map([...said.next].map(([companyUic, number]) => [knownMerchant(companyUic), number]));
  const dataDir = config.database.kind === 'embedded' ? config.dataDir : null;
  return resumeAt(pool, { said: { by, why }, dataDir, epoch: known.get('epoch') ?? 0 }, async (tx, place) => {
    const { why: stopped, companies } = await stateOf(tx, place, known);
    if (stopped === null) throw new Refusal('conflict', 'nothing is stopped: orders are recorded');
    const strangers = [...next.keys()].filter((merchant) => !companies.some((one) => one.merchant === merchant));
    if (strangers.length > 0) throw new Refusal('missing', `no numbers were given here of the company ${strangers.join(', ')}`);
    const wanted = companies.map((one) => ({ ...one, to: wantedNext(one, { ...said, next }) }));
    const raised = wanted.filter(({ next: from, to }) => to > (from ?? 0)).map(({ merchant, to }) => ({ merchant, to }));
    for (const one of raised) await raiseNumber(tx, { ...one, by, why, now: new Date() });
    return raised;
  });
}

function wantedNext({ merchant, next, known }: CompanyNumbers, { next: given, ahead, keep }: Said): number {
  const least = Math.max(next ?? 0, known ?? 0);
  const to = given.get(merchant) ?? (ahead === null ? (keep ? (next ?? 0) : null) : Math.min(least + ahead, LAST_NUMBER));
  if (to === null) {
    const advice = 'say it with --next, of all companies with --ahead, or with --keep-numbers that none was lost';
    throw new Refusal('invalid', { english: `nobody said which document number comes next for the company ${merchant}`, advice });
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
