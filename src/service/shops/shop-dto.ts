import type { FieldError } from '../../contract/schema-errors.ts';
import { createShopDto, type ShopDetails, shopWarnings } from '../../contract/shop-dto.ts';

/** What a shop operation answers: all fields, the id, and what looks wrong though it was accepted. */
export type ShopDto = ShopDetails & { id: string; createdAt: string; updatedAt: string; warnings: FieldError[] };

/** A row of compliance.shops, its times as ISO text. */
export type ShopRow = { id: string; details: unknown; createdAt: string; updatedAt: string };

export function shopDto({ id, details, createdAt, updatedAt }: ShopRow): ShopDto {
  const shop = createShopDto.parse(details);
  return { id, ...shop, createdAt, updatedAt, warnings: shopWarnings(shop) };
}
