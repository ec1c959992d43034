import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import type { ReadShopDto } from '../../service/shops/shop-dto.ts';
import { Refusal } from '../refusal.ts';

/** The shop of this id, whichever key made it; refuses if there is none. */
export async function knownShop({ pool }: { pool: Pool }, id: string): Promise<ReadShopDto> {
  const shop = isUuid(id) ? await readShop(pool, { id }) : null;
  if (shop === null)
    throw new Refusal(
      'missing',
      { en: `there is no shop ${id}`, bg: `няма обект ${id}` },
      { advice: { en: '`orderbridge service shops list` shows them', bg: '`orderbridge service shops list` ги показва' } },
    );
  return shop;
}
