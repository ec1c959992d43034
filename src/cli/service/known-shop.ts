import type { Core } from '../../app/core.ts';
import { CliError } from '../../platform/terminal/context.ts';
import { readShop } from '../../service/reading/read-shops.ts';
import type { ShopDto } from '../../service/shops/shop-dto.ts';
import { isUuid } from '../input/arguments.ts';

/** The shop of this id, whichever key made it; an error in words if there is none. */
export async function knownShop({ pool }: Pick<Core, 'pool'>, id: string): Promise<ShopDto> {
  const shop = isUuid(id) ? await readShop(pool, { id }) : null;
  if (shop === null) throw new CliError(`there is no shop ${id}; \`orderbridge service shops list\` shows them`);
  return shop;
}
