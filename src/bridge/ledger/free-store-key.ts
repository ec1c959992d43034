import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Connection } from '../connections/connection.ts';

const storeRows = rowsOf('connections', z.object({ store: z.string() }));

/** A name for the orders of another store that is called as an earlier one of the shop: `NAME#2`, or the next that is free. */
export async function freeStoreKey(tx: Queryable, { shopId, platform }: Pick<Connection, 'shopId' | 'platform'>, store: string): Promise<string> {
  const rows = await readRows(tx, storeRows, {
    text: 'select store from connections where shop_id = $1 and platform = $2 and store is not null',
    values: [shopId, platform],
  });
  const taken = new Set(rows.map((row) => row.store));
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? store : `${store}#${count}`;
    if (!taken.has(key)) return key;
  }
}
