import { createShopDto } from '../../contract/shop-dto.ts';
import { isShopNumber } from '../../contract/shop-number.ts';

/** What a merchant types of his company, in the order of the form. */
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
  const isDoubtful = !isShopNumber(number) && number !== sureOf;
  const wrong = COMPANY_FIELDS.filter((field) => issues.includes(field) || (field === 'nraNumber' && isDoubtful));
  return parsed.success && wrong.length === 0 ? { ok: true, fields: parsed.data } : { ok: false, wrong };
}

function given({ vat, auditRecipientEmails, auditGenerationDay, receiptStartNumber, ...typed }: TypedCompany): Record<string, unknown> {
  return {
    ...typed,
    companyUic: plainUic(typed.companyUic),
    nraNumber: plainNumber(typed.nraNumber),
    customerPhone: international(typed.customerPhone),
    vatGroup: vat === 'yes' ? 'GROUP_B' : vat === 'no' ? 'GROUP_A' : vat,
    auditRecipientEmails: separate(auditRecipientEmails),
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

function separate(typed: string): string[] {
  return [...new Set(typed.split(/[\s,;]+/).filter((part) => part !== ''))];
}

function wholeNumber(typed: string): number | string {
  return /^\d{1,10}$/.test(typed) ? Number(typed) : typed;
}
