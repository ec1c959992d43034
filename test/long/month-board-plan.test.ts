import { expect, test } from 'vitest';
import { changesSince } from '../../src/service/audit/month/changes-since.ts';
import { boardShops, outlineMonths, readMonths } from '../../src/service/audit/month/month-board.ts';
import { readAuditShop } from '../../src/service/audit/month/shop-of-month.ts';
import { fillTables } from '../support/deletes/fill-tables.ts';
import { rowsRead } from '../support/ledger/rows-read.ts';
import type { AuditWorld } from '../support/worlds/audit-world.ts';
import { auditDeps, OCTOBER } from '../support/worlds/october.ts';
import { useServiceWorlds } from '../support/worlds/service-worlds.ts';
import { until } from '../support/worlds/settled.ts';

const worlds = useServiceWorlds();

const ROWS = 3_000;
/** Another connection of the world may still see what was before. */
async function isVisible({ server: { pool } }: AuditWorld): Promise<boolean> {
  await pool.query('vacuum analyze compliance.orders');
  const { rowCount } = await pool.query(`select from pg_class where oid = 'compliance.orders'::regclass and relallvisible >= relpages - 1`);
  return rowCount === 1;
}

test('the board of months, and what changed since a file, read few orders of a large month', async () => {
  await using w = await worlds.audit(OCTOBER);
  await fillTables(w, ROWS);
  await until(async () => isVisible(w), { what: 'the rows to be visible to all, as they are in a table of some age' });
  const { shopId } = w;
  const deps = auditDeps(w);
  const header = (await readAuditShop(w.server.pool, shopId))?.headers.now;
  if (header === undefined) throw new Error('no shop');

  const board = await rowsRead(w.server.pool, 'compliance', async (pool) => {
    const months = await readMonths({ ...deps, pool }, await outlineMonths({ ...deps, pool }, await boardShops(pool, [shopId])));
    expect(months.find(({ month }) => month === '2026-10')?.orders).toBeGreaterThan(ROWS);
  });
  const changes = await rowsRead(w.server.pool, 'compliance', (pool) =>
    changesSince(pool, { shopId, month: '2026-10', cutAt: '2030-01-01T00:00:00Z', header, leftOut: [] }, w.now()),
  );

  expect(board('orders').rows).toBeLessThan(200);
  expect(changes('orders').rows).toBeLessThan(200);
});
