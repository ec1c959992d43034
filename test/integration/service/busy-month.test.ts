import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditFile } from '../../../src/service/audit/format/verify-audit-file.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { importRates } from '../../../src/service/rates/import-rates.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { startAuditWorld } from '../../support/worlds/audit-world.ts';
import { busyMonthOrder } from '../../support/worlds/busy-month.ts';
import { inTurns } from '../../support/worlds/in-turns.ts';
import { auditDeps, contentOf, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

describe('a busy month', () => {
  const ORDERS = 10_000;

  test(`of ${ORDERS} orders of every kind is valid, and its sums are the database’s to the cent`, { timeout: 120_000 }, async () => {
    await using w = await startAuditWorld(postgres.url, OCTOBER);
    await importRates(w.server.pool, {
      rates: Array.from({ length: 20 }, (_, i) => ratesOf(`2026-10-${String(i + 1).padStart(2, '0')}`)).flat(),
      now: w.now(),
    });
    w.setClock('2026-10-29T10:00:00Z');
    await importRates(w.server.pool, { rates: Array.from({ length: 9 }, (_, i) => ratesOf(`2026-10-${i + 21}`)).flat(), now: w.now() });
    const filed = await w.create(october(0, { internalCreatedAt: '2026-05-05T10:00:00+03:00' }));
    await w.server.pool.query(`update compliance.orders set month = '2026-05-01' where id = $1`, [filed.id]);
    await w.remove(filed.id);
    await inTurns(
      Array.from({ length: ORDERS }, (_, n) => n),
      100,
      (n) => w.create(busyMonthOrder(n, '2026-10')),
    );
    w.setClock(NOVEMBER_IN_TERM);

    const generation = await generateMonth(auditDeps(w), { shopId: w.shopId, month: '2026-10' });

    const bytes = await contentOf(w, generation);
    const verified = await verifyAuditFile(bytes, { today: '2026-11-10' });
    expect(verified.findings.filter(({ level }) => level === 'error')).toEqual([]);
    const { rows } = await w.server.pool.query(
      `select count(*)::int as orders, sum(accounting_total)::text as total, sum(accounting_vat)::text as vat from compliance.orders where month = '2026-10-01'`,
    );
    expect(rows[0]).toMatchObject({ orders: ORDERS });
    expect(verified.sums).toMatchObject({ ...rows[0], returns: 1, returned: '59.45' });
  });
});

function ratesOf(publishedOn: string) {
  const rate = { base: 'EUR', multiply: '1', publishedOn, source: 'BNB' } as const;
  return [
    { ...rate, currency: 'USD', divide: '1.1761' },
    { ...rate, currency: 'JPY', divide: '181.23' },
  ];
}
