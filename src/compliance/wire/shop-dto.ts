import { z } from 'zod';
import { isCompanyId } from './company-id.ts';
import { RETURN_PAYMENT_METHODS, VAT_GROUPS } from './enumerations.ts';
import { limits } from './limits.ts';
import type { FieldError } from './schema-errors.ts';
import { text } from './text.ts';

// A host name, or the address of a shop inside a platform; written as it is registered, so with or without https://.
const DOMAIN = /^(https?:\/\/)?([a-z0-9\p{L}]([a-z0-9\p{L}-]*[a-z0-9\p{L}])?\.)+[a-z0-9\p{L}-]{2,}(:\d{1,5})?(\/[^\s]*)?$/iu;

const email = z.email('must be an e-mail address').max(254, 'must be 254 characters at most');

const shopFields = {
  name: text(limits.shopName),
  domain: text(limits.domain).regex(DOMAIN, 'must be a domain name such as shop.example, or the address of the shop in its platform'),
  customerPhone: z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in international format, such as +359888123456'),
  customerEmail: email,
  nraNumber: text(limits.nraNumber),
  companyUic: z.string().refine(isCompanyId, 'must be a company identification number (ЕИК) of 9 or 13 digits whose check digit fits'),
  companyName: text(limits.companyName),
  companyAddress: text(limits.companyAddress),
  vatGroup: z.enum(VAT_GROUPS),
  auditGenerationDay: z.int('must be a whole number').min(1, 'must be 1 to 28').max(limits.auditGenerationDay, 'must be 1 to 28'),
  auditRecipientEmails: z.array(email).max(limits.auditRecipients, `must hold ${limits.auditRecipients} addresses at most`),
  auditNoReceiptOrders: z.boolean(),
  returnPaymentMethod: z.enum(RETURN_PAYMENT_METHODS),
  receiptStartNumber: z.int('must be a whole number').min(1, 'must be above zero').max(limits.receiptStartNumber, 'must have ten digits at most'),
};

/** CreateShopDto. What has a default may be left out. */
export const createShopDto = z.strictObject({
  ...shopFields,
  vatGroup: shopFields.vatGroup.default('GROUP_B'),
  auditGenerationDay: shopFields.auditGenerationDay.default(10),
  auditRecipientEmails: shopFields.auditRecipientEmails.default([]),
  auditNoReceiptOrders: shopFields.auditNoReceiptOrders.default(true),
  returnPaymentMethod: shopFields.returnPaymentMethod.default('IBAN'),
  receiptStartNumber: shopFields.receiptStartNumber.default(1),
});

/** UpdateShopDto: any subset of the fields, one at least. */
export const updateShopDto = z
  .strictObject(shopFields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must name at least one field to change');

/** DeleteShopDto: the shop's name, so that nobody deletes the wrong one. */
export const deleteShopDto = z.strictObject({ name: text(limits.shopName) });

export type ShopDetails = z.output<typeof createShopDto>;
export type CreateShopDto = z.input<typeof createShopDto>;

/** What is accepted, but looks wrong. */
export function shopWarnings({ nraNumber }: Pick<ShopDetails, 'nraNumber'>): FieldError[] {
  return /^RF\d{7}$/.test(nraNumber)
    ? []
    : [{ path: 'nraNumber', message: 'numbers of the National Revenue Agency are RF and seven digits; check it, the audit file bears it' }];
}
