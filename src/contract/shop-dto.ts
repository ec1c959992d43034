import { z } from 'zod';
import { MONTH } from './day.ts';
import { emailAddress } from './email-address.ts';
import { limits } from './limits.ts';
import { RETURN_PAYMENT_METHODS, VAT_GROUPS } from './order-dto.ts';
import type { FieldError } from './schema-errors.ts';
import { nameText, postalText, text } from './text.ts';

// A host name, or the address of a shop inside a platform; written as it is registered, so with or without https://.
const DOMAIN = /^(https?:\/\/)?([a-z0-9\p{L}]([a-z0-9\p{L}-]*[a-z0-9\p{L}])?\.)+[a-z0-9\p{L}-]{2,}(:\d{1,5})?(\/[^\s]*)?$/iu;

const shopFields = {
  name: nameText(limits.shopName).describe('Name of the shop, without web or e-mail addresses and telephone numbers.'),
  domain: text(limits.domain)
    .refine((domain) => DOMAIN.test(domain), 'must be a domain name such as shop.example, or the address of the shop in its platform')
    .meta({
      description: 'Domain name of the shop, or its address in a platform, as it is registered with the National Revenue Agency.',
      // DOMAIN, as far as every dialect of regular expressions can say it.
      pattern: String.raw`^(https?://)?[^\s/:.]+(\.[^\s/:.]+)+(:\d{1,5})?(/\S*)?$`,
    }),
  customerPhone: z
    .string()
    .overwrite((phone) => phone.replace(/[\s-]+/g, ''))
    .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in international format, such as +359888123456')
    .describe('Phone of the shop in international format (E.164); spaces and hyphens are left out.'),
  customerEmail: emailAddress.describe('E-mail address of the shop; audit files are sent to it.'),
  nraNumber: text(limits.nraNumber).describe('Number of the shop with the National Revenue Agency: RF and seven digits.'),
  companyUic: z
    .string()
    .refine(isCompanyId, 'must be a company identification number (ЕИК) of 9, 10 or 13 digits whose check digit fits')
    .meta({ description: 'Company identification number (ЕИК) of 9 digits, 13 for a branch, 10 for a natural person.', pattern: '^(\\d{9}|\\d{10}|\\d{13})$' }),
  companyName: nameText(limits.companyName).describe('Legal name of the company, without such addresses and numbers.'),
  companyAddress: postalText(limits.companyAddress).describe('Postal address of the company, without such addresses and numbers.'),
  vatGroup: z.enum(VAT_GROUPS).describe('The usual VAT group of the shop; each line of an order names its own.'),
  auditGenerationDay: z
    .int('must be a whole number')
    .min(1, 'must be 1 to 28')
    .max(limits.auditGenerationDay, 'must be 1 to 28')
    .describe('Day of the month on which the audit file of the month before is made and sent; it is made on the 12th at the latest.'),
  auditRecipientEmails: z
    .array(emailAddress)
    .max(limits.auditRecipients, `must hold ${limits.auditRecipients} addresses at most`)
    .describe('Who else is sent the audit files.'),
  auditNoReceiptOrders: z.boolean().describe('Are orders that have no receipt, those paid by postal payment, in the audit file?'),
  returnPaymentMethod: z.enum(RETURN_PAYMENT_METHODS).describe('How the shop gives money back.'),
  receiptStartNumber: z
    .int('must be a whole number')
    .min(1, 'must be above zero')
    .max(limits.receiptStartNumber, 'must have ten digits at most')
    .describe(
      'Number of the merchant’s first document, needed if the company gave numbers elsewhere, 9000000000 at most; once a number was given, a higher one is the next number, up to 100000 above the highest that was given, and a lower one is refused.',
    ),
};

/** CreateShopDto. Fields with a default may be left out. */
export const createShopDto = z.strictObject({
  ...shopFields,
  vatGroup: shopFields.vatGroup.default('GROUP_B'),
  auditGenerationDay: shopFields.auditGenerationDay.default(10),
  auditRecipientEmails: shopFields.auditRecipientEmails.default([]),
  auditNoReceiptOrders: shopFields.auditNoReceiptOrders.default(true),
  returnPaymentMethod: shopFields.returnPaymentMethod.default('IBAN'),
  receiptStartNumber: shopFields.receiptStartNumber.default(1),
});

/** Of a change; one whose fields are not right names some. */
export const NAMES_A_FIELD = { error: 'must name at least one field to change', when: ({ issues }: { issues: readonly unknown[] }) => issues.length === 0 };
/** What the agency has of a shop (annex 33), and what may change from a month on. */
export const HEADER_FIELDS = ['nraNumber', 'domain', 'companyUic', 'companyName', 'companyAddress'] as const;

/** Our addition. */
const validFrom = z
  .string()
  .regex(MONTH, 'must be a month such as 2026-10')
  .meta({
    description:
      'The first month whose file bears the new nraNumber, domain, companyUic, companyName and companyAddress; files of earlier months keep the old ones. Left out: it is a correction for all months that are not filed.',
    examples: ['2026-11'],
  });

/** UpdateShopDto: any subset of the fields, one at least. */
export const updateShopDto = z
  .strictObject({ ...shopFields, validFrom })
  .partial()
  .refine(({ validFrom: _, ...patch }) => Object.keys(patch).length > 0, NAMES_A_FIELD)
  .refine((patch) => patch.validFrom === undefined || HEADER_FIELDS.some((field) => field in patch), {
    path: ['validFrom'],
    message: `goes with one of ${HEADER_FIELDS.join(', ')}`,
  });

/** DeleteShopDto: the shop's name, so that no wrong one is deleted. */
export const deleteShopDto = z.strictObject({ name: text(limits.shopName).describe('The exact name of the shop.') });

export type ShopDetails = z.output<typeof createShopDto>;
export type CreateShopDto = z.input<typeof createShopDto>;

/** Warnings about accepted values that look wrong. */
export function shopWarnings({ nraNumber, auditGenerationDay }: Pick<ShopDetails, 'nraNumber' | 'auditGenerationDay'>): FieldError[] {
  const latest = limits.timelyGenerationDay;
  const late = `leaves less than three days before the term, the 15th: the file is made on the ${latest}th all the same, and again on this day if something changed; choose a day up to ${latest}`;
  return [
    ...(isShopNumber(nraNumber)
      ? []
      : [{ path: 'nraNumber', message: 'numbers of the National Revenue Agency are RF and seven digits; check it, the audit file bears it' }]),
    ...(auditGenerationDay > latest ? [{ path: 'auditGenerationDay', message: late }] : []),
  ];
}

/**
 * Is this a company identification number (ЕИК): 9 digits, 13 for a branch, or the 10 of a natural person (ЕГН or ЛНЧ, by the BULSTAT register),
 * whose check digits fit? Placeholders of zeros are not.
 */
export function isCompanyId(value: string): boolean {
  if (!/^(\d{9}|\d{10}|\d{13})$/.test(value) || /^0+$/.test(value.slice(0, 9))) return false;
  const digits = Array.from(value, Number);
  return digits.length === 10 ? isPerson(digits) : isCompany(digits);
}

function isCompany(digits: number[]): boolean {
  const main = checkDigit(digits.slice(0, 8), [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]) === digits[8];
  return main && (digits.length === 9 || checkDigit(digits.slice(8, 12), [2, 7, 3, 5], [4, 9, 5, 7]) === digits[12]);
}

// A citizen's number (ЕГН), or that of a foreigner (ЛНЧ).
function isPerson(digits: number[]): boolean {
  const first = digits.slice(0, 9);
  const citizen = (weighted(first, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
  const foreigner = weighted(first, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10;
  return digits[9] === citizen || digits[9] === foreigner;
}

function checkDigit(digits: number[], weights: number[], weightsIfTen: number[]): number {
  const first = weighted(digits, weights) % 11;
  return first < 10 ? first : (weighted(digits, weightsIfTen) % 11) % 10;
}

function weighted(digits: number[], weights: number[]): number {
  return digits.reduce((sum, digit, i) => sum + digit * (weights[i] ?? 0), 0);
}

/** The number that the agency gives an e-shop with its registration (Наредба Н-18, Приложение № 33): RF and seven digits, as far as numbers are known. */
const SHOP_NUMBER = /^RF\d{7}$/;

/** Does it look like the number of an e-shop? The agency's schema accepts any ten characters, so another form is not certainly wrong. */
export function isShopNumber(text: string): boolean {
  return SHOP_NUMBER.test(text);
}
