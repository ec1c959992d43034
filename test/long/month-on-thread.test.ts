import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateMonth } from '../../src/service/audit/month/generate-month.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startAuditWorld } from '../support/worlds/audit-world.ts';
import { auditDeps, contentOf, NOVEMBER_IN_TERM, OCTOBER, october } from '../support/worlds/october.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const ORDERS = 320;
const uncertain = new URL('../support/worlds/dying-schema-thread.ts', import.meta.url).href;

test('a month whose schema check dies on its thread is not stored, and is made whole the next time, as without a thread', async () => {
  await using w = await startAuditWorld(postgres.url, OCTOBER);
  await Promise.all(Array.from({ length: ORDERS }, (_, n) => w.create(october(n))));
  w.setClock(NOVEMBER_IN_TERM);
  await w.server.pool.query(`update compliance.shops set details = details || '{"domain": "dies.example"}' where id = $1`, [w.shopId]);
  const key = { shopId: w.shopId, month: '2026-10' };
  const on = (schemaThread: object) => generateMonth({ ...auditDeps(w), schemaThread }, key);
  const stored = async () => {
    const tables = ['audit_files', 'audit_file_chunks', 'audit_csv_chunks', 'audit_bookkeeping_chunks'];
    const { rows } = await w.server.pool.query(`select ${tables.map((table) => `(select count(*)::int from compliance.${table}) as ${table}`).join(', ')}`);
    return Object.values(rows[0]);
  };

  await expect(on({ few: 0, file: uncertain, withinMs: 1_500 })).rejects.toThrow();
  expect(await stored()).toEqual([0, 0, 0, 0]);

  const onThread = await on({ few: 0 });
  const without = await on({ few: ORDERS });
  expect(onThread).toMatchObject({ kind: 'generated', file: { sums: { orders: ORDERS }, version: 1 } });
  expect(without).toMatchObject({ kind: 'generated', file: { version: 2 } });
  expect((await contentOf(w, onThread)).equals(await contentOf(w, without))).toBe(true);
});
