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
