import { z } from 'zod';
import { findOnboarding, type StepSaid, type StoredOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { COMPANY_FIELDS, type TypedCompany } from './company-fields.ts';
import { type Onboarding, saveStep, toOnboarding } from './onboarding.ts';

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
});

/** What is known of a merchant's company: kept whatever happens, so that a shop is made once. */
export type Company = z.output<typeof company>;

const NOTHING: Company = { typed: {}, sent: null, sentAt: null, press: null, shop: null };

export function companyOf({ progress }: Pick<StoredOnboarding, 'progress'>): Company {
  return company.safeParse(progress['company']).data ?? NOTHING;
}

/** What the form shows: what he typed, else what others know. */
export function typedOf({ typed }: Pick<Company, 'typed'>, known: Partial<TypedCompany>): TypedCompany {
  const value = (field: (typeof COMPANY_FIELDS)[number]): [string, string] => [field, typed[field] ?? known[field] ?? ''];
  return Object.fromEntries(COMPANY_FIELDS.map(value)) as TypedCompany;
}

const MOST_TRIES = 5;

type Change = (company: Company, onboarding: Onboarding) => { company: Partial<Company>; said?: StepSaid; done?: true } | null;

/** Saves what `change` says of the newest state; null: nothing. Another window that is faster only makes it look again. Returns what is known then. */
export async function saveCompany({ pool }: { pool: Pool }, id: string, change: Change): Promise<Company> {
  for (let tries = 1; ; tries += 1) {
    const stored = await findOnboarding(pool, id);
    if (stored === null) throw new Error('the onboarding is not in the ledger');
    const before = companyOf(stored);
    const changed = change(before, toOnboarding(stored));
    if (changed === null) return before;
    const { company: part, said, done } = changed;
    const after = { ...before, ...part };
    try {
      await saveStep({ pool }, stored, { ...said, step: 'company', progress: after, ...(done === undefined ? {} : { done }) });
      return after;
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || tries >= MOST_TRIES) throw thrown;
    }
  }
}
