import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, NAMES_A_FIELD, type ShopDetails, shopWarnings } from '../../contract/shop-dto.ts';
import { type EarlierHeader, earlierHeader } from '../audit/month/shop-of-month.ts';
import { hasPath, type ShopType } from '../law/audit-codes.ts';

/** The answer of a shop operation: all fields, the id, and warnings about accepted values that look wrong. */
export type ShopDto = ShopDetails & {
  id: string;
  /** Its documents are no real ones: it was made with a test key. */
  test?: true;
  createdAt: string;
  updatedAt: string;
  warnings: FieldError[];
};

/** A shop under /service/v1: with what it asks for beyond the documented interface, and what files of earlier months bear. */
export type ReadShopDto = ShopDto & ShopOptions & { earlier: EarlierHeader[] };

const shopType = z.union([z.literal(1), z.literal(2)], 'must be 1 or 2, or null');

/** What a shop may ask for beyond the documented interface. */
export const shopOptions = z.strictObject({
  automaticReceipts: z
    .boolean('must be true or false')
    .describe('Is a receipt issued and mailed for each order paid by PAYMENT_PROCESSOR or VIRTUAL_POS as it is recorded, without being asked for?'),
  receiptEnglish: z.boolean('must be true or false').describe('Are receipts, from the next one on, in English as well as in Bulgarian?'),
  eShopType: shopType
    .nullable()
    .describe('Kind of shop in the audit file: 1 its own domain, 2 a shop in an online platform; null: 2 if the domain has a path, else 1.'),
  refuseEndedCurrencies: z
    .boolean('must be true or false')
    .describe(
      'Is an order refused (422 currency-ended) whose currency had ended when it was made, such as leva after 2026-01-31? The order’s own time decides; replacements of recorded orders pass.',
    ),
});

/** A row of compliance.shops, its times as ISO text. */
export const shopRow = z.object({
  id: z.string(),
  details: createShopDto,
  test: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  eShopType: shopOptions.shape.eShopType,
});

/** Such a row with all of the shop's options. */
export const readShopRow = shopRow.extend(shopOptions.shape).extend({ earlier: z.array(earlierHeader) });

export function shopDto({ id, details, test, createdAt, updatedAt, eShopType }: z.output<typeof shopRow>): ShopDto {
  return { id, ...details, ...(test && { test }), createdAt, updatedAt, warnings: warningsOfShop(details, eShopType) };
}

export function readShopDto(row: z.output<typeof readShopRow>): ReadShopDto {
  const { automaticReceipts, receiptEnglish, eShopType, refuseEndedCurrencies, earlier } = row;
  return { ...shopDto(row), automaticReceipts, receiptEnglish, eShopType, refuseEndedCurrencies, earlier };
}

/** The body of a change: any of them, one at least. */
export const shopOptionsPatch = shopOptions.partial().refine((patch) => Object.keys(patch).length > 0, NAMES_A_FIELD);

export type ShopOptions = z.output<typeof shopOptions>;

/** Columns of a `ShopOptions` in compliance.shops `s`. */
export const SHOP_OPTIONS = `s.automatic_receipts as "automaticReceipts", s.receipt_english as "receiptEnglish", s.e_shop_type as "eShopType",
  s.refuse_ended_currencies as "refuseEndedCurrencies"`;

/** Everything about a shop that was accepted and looks wrong. */
function warningsOfShop(details: ShopDetails, eShopType: ShopType | null): FieldError[] {
  return [...shopWarnings(details), ...typeWarnings(details.domain, eShopType)];
}

function typeWarnings(domain: string, eShopType: ShopType | null): FieldError[] {
  if (eShopType !== null || !hasPath(domain)) return [];
  const message =
    'has a path, so the audit file says that the shop is in an online platform (e_shop_type 2); say eShopType 1 or 2 with PATCH /service/v1/shops/{id}';
  return [{ path: 'domain', message }];
}

/** What files bear and the agency must be told of (annex 33). */
const REGISTERED = ['nraNumber', 'domain', 'companyUic'] as const;

/** Warnings about such fields that an update changed. `validFrom`: the first month that bears the new value; null: all that are not filed. */
export function changeWarnings(before: ShopDetails, after: ShopDetails, validFrom: string | null): FieldError[] {
  const months =
    validFrom === null
      ? 'the months that are not filed bear it, and files that were made before are to be made again; if it counts from a later month on, send the earlier value again, then this one with validFrom'
      : `it counts from ${validFrom} on`;
  return REGISTERED.filter((field) => before[field] !== after[field]).map((path) => {
    const earlier = validFrom === null ? '' : `, and files of earlier months bear ${before[path]}`;
    return { path, message: `was changed: ${months}${earlier}; report it to the agency within 7 days (annex 33)` };
  });
}
