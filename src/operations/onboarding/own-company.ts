import { z } from 'zod';
import type { StepSaid, StoredOnboarding } from '../../bridge/ledger/invitations/onboarding-store.ts';
import { createShopDto, isShopNumber } from '../../contract/shop-dto.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { type Onboarding, saveNewest } from './onboarding.ts';

/** What a merchant types of their company, in the order of the form. */
export const COMPANY_FIELDS = [
  'companyUic',
  'companyName',
  'companyAddress',
  'vat',
  'nraNumber',
  'domain',
  'name',
  'customerPhone',
  'customerEmail',
  'auditRecipientEmails',
  'auditGenerationDay',
  'receiptStartNumber',
] as const;

const typedCompany = z.partialRecord(z.enum(COMPANY_FIELDS), z.string());

const company = z.object({
  typed: typedCompany.catch({}),
  /** What the service was asked to make, from before it is asked; null: nothing yet, or it refused. */
  sent: z.record(z.string(), z.unknown()).nullable().catch(null),
  sentAt: z.string().nullable().catch(null),
  press: z.string().nullable().catch(null),
  /** The shop that was made of it. */
  shop: z.string().nullable().catch(null),
  /** Whose shop they chose in place of that: one that their store had before, or one of an earlier invitation of theirs; null: they chose none. */
  chosen: z.enum(['store', 'mailbox']).nullable().catch(null),
  /** The mailbox came with the shop that they chose: its merchant was mailed there. */
  mailsAsBefore: z.boolean().catch(false),
  /** The company number that the person who invited them named; null: none. */
  named: z.string().nullable().catch(null),
  /** The company, by `merchantOf`, for which no shop is made until it is confirmed, and since when; null: none. */
  waits: z.object({ company: z.string(), at: z.string() }).nullable().catch(null),
  /** A company that they said is theirs was another's: from then on the operator alone confirms. */
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

/** What the form shows: what they typed, else what others know. */
export function typedOf({ typed }: Pick<Company, 'typed'>, known: Partial<TypedCompany>): TypedCompany {
  const value = (field: (typeof COMPANY_FIELDS)[number]): [string, string] => [field, typed[field] ?? known[field] ?? ''];
  return Object.fromEntries(COMPANY_FIELDS.map(value)) as TypedCompany;
}

type Change = (company: Company, onboarding: Onboarding) => { company: Partial<Company>; said?: StepSaid; done?: boolean } | null;

/** Saves what `change` says of the newest state; null: nothing. Anyone who is faster only has it look again. Returns what is known then. */
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
export type CompanyField = (typeof COMPANY_FIELDS)[number];

/** Each as it was typed. `vat`: yes or no, is the company registered. Addresses have commas, spaces or lines between them. */
export type TypedCompany = Readonly<Record<CompanyField, string>>;

/** The fields of a shop, as the compliance service takes them. */
export type ShopFields = Readonly<Record<string, unknown>>;

/** Does the company identification number look right? It is asked first. */
export function isTypedUic(typed: string): boolean {
  return createShopDto.shape.companyUic.safeParse(plainUic(typed)).success;
}

/** What a shop is made from; or the fields that are missing or wrong. `sureOf`: a number of the agency in an unknown form that was typed again. */
export function shopFieldsOf(
  typed: TypedCompany,
  { sureOf }: { sureOf: string | null },
): { ok: true; fields: ShopFields } | { ok: false; wrong: CompanyField[] } {
  const parsed = createShopDto.safeParse(given(typed));
  const issues = parsed.success ? [] : parsed.error.issues.map(({ path: [field] }) => (field === 'vatGroup' ? 'vat' : String(field)));
  const number = plainNumber(typed.nraNumber);
  const isUncertain = !isShopNumber(number) && number !== sureOf;
  const wrong = COMPANY_FIELDS.filter((field) => issues.includes(field) || (field === 'nraNumber' && isUncertain));
  return parsed.success && wrong.length === 0 ? { ok: true, fields: parsed.data } : { ok: false, wrong };
}

function given({ vat, auditRecipientEmails, auditGenerationDay, receiptStartNumber, ...typed }: TypedCompany): Record<string, unknown> {
  return {
    ...typed,
    companyUic: plainUic(typed.companyUic),
    nraNumber: plainNumber(typed.nraNumber),
    customerPhone: international(typed.customerPhone),
    vatGroup: vat === 'yes' ? 'GROUP_B' : vat === 'no' ? 'GROUP_A' : vat,
    auditRecipientEmails: [...new Set(auditRecipientEmails.split(/[\s,;]+/).filter((part) => part !== ''))],
    auditGenerationDay: wholeNumber(auditGenerationDay),
    ...(receiptStartNumber === '' ? {} : { receiptStartNumber: wholeNumber(receiptStartNumber) }),
  };
}

/** With “BG” before it, it is the number of the VAT registration. */
export function plainUic(typed: string): string {
  return typed.replace(/[\s.-]+/g, '').replace(/^BG/i, '');
}

export function plainNumber(typed: string): string {
  return typed.replace(/[\s.-]+/g, '').toUpperCase();
}

/** A number of this country may be typed as people here write it. */
function international(typed: string): string {
  const plain = typed.replace(/[\s()./-]+/g, '');
  return plain.replace(/^00/, '+').replace(/^0(?=[1-9])/, '+359');
}

function wholeNumber(typed: string): number | string {
  return /^\d{1,10}$/.test(typed) ? Number(typed) : typed;
}
