import { expect, test } from 'vitest';
import { startComplianceServer } from '../../support/servers/compliance-server.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const ORDERS = 400;
const AT_ONCE = 40;
const REPLACED = 100;

/** What was read of each table for one recording or deletion, by its indexes or without. */
const READ = `select relname, (seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0))::int / $1::int as read
  from pg_stat_user_tables t where schemaname = 'compliance' order by read desc`;

test('recording and replacing an order reads as much in a database without figures, however many its shop has', async () => {
  await using postgres = await startPostgres();
  await recordAndReplace(postgres.url);

  // The connections have ended, and with that added up what they had read.
  const { pool, end } = openPool(postgres.url);
  const { rows } = await pool.query(READ, [ORDERS + 2 * REPLACED]).finally(end);
  expect(rows.find(({ relname }) => relname === 'orders')?.read).toBeGreaterThan(0);
  expect(rows.filter(({ read }) => read > 10)).toEqual([]);
});

async function recordAndReplace(databaseUrl: string): Promise<void> {
  await using server = await startComplianceServer({ databaseUrl });
  const { rows } = await server.pool.query(`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'compliance'`);
  for (const { name } of rows) await server.pool.query(`alter table ${name} set (autovacuum_enabled = off)`);
  const call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  const shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
  const create = async (n: number) => {
    const answer = await call('POST', '/order', { body: orderDto(shopId, { internalId: `id-${n}`, internalNumber: `#${n}`, transactionId: `pi_${n}` }) });
    expect(answer.status).toBe(200);
    return String(answer.body['id']);
  };
  const ids: string[] = [];
  for (let n = 0; n < ORDERS; n += AT_ONCE) ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => create(n + one)))));
  for (const [n, id] of ids.slice(0, REPLACED).entries()) {
    expect((await call('DELETE', `/order/${id}`)).status).toBe(200);
    await create(n);
  }
}
