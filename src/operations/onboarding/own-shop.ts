import { z } from 'zod';
import type { StepSaid, StoredOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { COMPANY_FIELDS, type TypedCompany } from './company-fields.ts';
import { type Onboarding, saveNewest } from './onboarding.ts';

const typedCompany = z.partialRecord(z.enum(COMPANY_FIELDS), z.string());

const company = z.object({
  typed: typedCompany.catch({}),
  /** What the service was asked to make, from before it is asked; null: nothing yet, or it refused. */
  sent: z.record(z.string(), z.unknown()).nullable().catch(null),
  sentAt: z.string().nullable().catch(null),
  /** By which press. */
  press: z.string().nullable().catch(null),
  /** The shop that was made of it. */
  shop: z.string().nullable().catch(null),
  /** Whose shop he chose in place of that: one that his store had before, or one of an earlier invitation of his; null: he chose none. */
  chosen: z.enum(['store', 'mailbox']).nullable().catch(null),
  /** The mailbox came with the shop that he chose: its merchant was mailed there. */
  mailsAsBefore: z.boolean().catch(false),
  /** The company number that whoever invited him named; null: none. */
  named: z.string().nullable().catch(null),
  /** The company, by `merchantOf`, for which no shop is made until it is confirmed, and since when; null: none. */
  waits: z.object({ company: z.string(), at: z.string() }).nullable().catch(null),
  /** A company that he said is his was another's: from then on the operator alone confirms. */
  contested: z.boolean().catch(false),
  /** The operator did not confirm the last one. */
  refused: z.boolean().catch(false),
});

/** What is known of a merchant's company: kept whatever happens, so that a shop is made once. */
export type Company = z.output<typeof company>;

const NOTHING: Company = company.parse({});

export function companyOf({ progress }: Pick<StoredOnboarding, 'progress'>): Company {
  return company.safeParse(progress['company']).data ?? NOTHING;
}

/** What the form shows: what he typed, else what others know. */
export function typedOf({ typed }: Pick<Company, 'typed'>, known: Partial<TypedCompany>): TypedCompany {
  const value = (field: (typeof COMPANY_FIELDS)[number]): [string, string] => [field, typed[field] ?? known[field] ?? ''];
  return Object.fromEntries(COMPANY_FIELDS.map(value)) as TypedCompany;
}

type Change = (company: Company, onboarding: Onboarding) => { company: Partial<Company>; said?: StepSaid; done?: boolean } | null;

/** Saves what `change` says of the newest state; null: nothing. Whoever is faster only has it look again. Returns what is known then. */
export async function saveCompany(deps: { pool: Queryable }, id: string, change: Change): Promise<Company> {
  const saved = await saveNewest(deps, id, (newest) => {
    const before = companyOf(newest);
    const changed = change(before, newest);
    if (changed === null) return null;
    const { company: part, said, done } = changed;
    return { ...said, step: 'company', progress: { ...before, ...part }, ...(done === undefined ? {} : { done }) };
  });
  return companyOf(saved);
}
