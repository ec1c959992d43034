import type { FieldError } from '../../contract/schema-errors.ts';
import { type ShopDetails, shopWarnings } from '../../contract/shop-dto.ts';
import { hasPath, type ShopType } from '../law/shop-type.ts';

/** Everything about a shop that was accepted and looks wrong. */
export function warningsOfShop(details: ShopDetails, eShopType: ShopType | null): FieldError[] {
  return [...shopWarnings(details), ...typeWarnings(details.domain, eShopType)];
}

function typeWarnings(domain: string, eShopType: ShopType | null): FieldError[] {
  if (eShopType !== null || !hasPath(domain)) return [];
  const message =
    'has a path, so the audit file says that the shop is in an online platform (e_shop_type 2); say eShopType 1 or 2 with PATCH /service/v1/shops/{id}';
  return [{ path: 'domain', message }];
}

/** What the agency has on record of a shop (annex 33). */
const REGISTERED = ['nraNumber', 'domain'] as const;

/** Warnings about fields that an update changed and that the agency must be told of. */
export function changeWarnings(before: ShopDetails, after: ShopDetails): FieldError[] {
  return REGISTERED.filter((field) => before[field] !== after[field]).map((path) => ({
    path,
    message: 'was changed: report it to the agency within 7 days (annex 33), and see that files bear what is registered',
  }));
}
