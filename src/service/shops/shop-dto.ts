import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, type ShopDetails } from '../../contract/shop-dto.ts';
import { type EarlierHeader, earlierHeader } from '../audit/month/shop-header.ts';
import { type ShopOptions, shopOptions } from './shop-options.ts';
import { warningsOfShop } from './shop-warnings.ts';

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
