import { z } from 'zod';
import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, type ShopDetails, shopWarnings } from '../../contract/shop-dto.ts';

/** The answer of a shop operation: all fields, the id, and warnings about accepted values that look wrong. */
export type ShopDto = ShopDetails & { id: string; createdAt: string; updatedAt: string; warnings: FieldError[] };

/** A row of compliance.shops, its times as ISO text. */
export const shopRow = z.object({ id: z.string(), details: createShopDto, createdAt: z.string(), updatedAt: z.string() });

export function shopDto({ id, details, createdAt, updatedAt }: z.output<typeof shopRow>): ShopDto {
  return { id, ...details, createdAt, updatedAt, warnings: shopWarnings(details) };
}
