import { expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, contentOf, NOVEMBER_IN_TERM, OCTOBER } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const lineItems = Array.from({ length: 120 }, () => ({ name: 'Стикер', quantity: 1, price: 1.23, vatRate: 20, vatGroup: 'GROUP_B' }));
const internalCreatedAt = '2026-10-20T10:15:00+03:00';
const headers = { 'idempotency-key': 'first' };

/** An order of 120 lines as the program before this rule recorded it: the VAT of each line rounded by itself, 120 × 0.21. */
async function earlierOrder(w: AuditWorld): Promise<{ id: string; body: Record<string, unknown> }> {
  const body = { ...orderDto(w.shopId, { internalCreatedAt, lineItems }) };
  const answer = await w.call('POST', '/order', { body, headers });
  await w.server.pool.query(
    'update compliance.orders set calculation = null, accounting_by_rate = null, net_total = 122.40, total_vat = 25.20, accounting_vat = 25.20',
  );
  return { id: String(answer.body['id']), body };
}

test('an order that was recorded with the earlier rules says the same as then: when its request is repeated, on its receipt, and in its file', async () => {
  await using w = await worlds.audit(OCTOBER);
  const { id, body } = await earlierOrder(w);
  w.setClock(NOVEMBER_IN_TERM);
  const of = { shopId: w.shopId, month: '2026-10' };

  expect((await w.call('POST', '/order', { body, headers })).body).toMatchObject({ id, total: 147.6, totalVat: 25.2, netTotal: 122.4 });
  const { body: receipt } = await w.call('POST', `/order/${id}/receipt`);
  expect(receipt).toMatchObject({ total: 147.6 });
  const first = await generateMonth(auditDeps(w), of);
  expect(first).toMatchObject({ kind: 'generated', file: { sums: { total: '147.60', vat: '25.20', net: '122.40' } } });

  // Filed, rejected and made again, it is the same to the byte, its number for the version aside.
  await markFiled(w.server.pool, { ...of, version: 1, now: w.now() });
  await markRejected(w.server.pool, of);
  const again = await generateMonth(auditDeps(w), of);
  expect(await contentOf(w, again)).toEqual(await contentOf(w, first));
});

test('what replaces it is recorded with the rules of today, and its return has the VAT that was declared', async () => {
  await using w = await worlds.audit(OCTOBER);
  const { id } = await earlierOrder(w);
  w.setClock('2026-11-20T10:00:00Z');
  await w.remove(id);
  await w.create({ internalCreatedAt, lineItems: lineItems.slice(0, 60) });

  // 25.20 as it was declared, less 73.80 ÷ 6 = 12.30.
  expect((await w.list('2026-11')).returns).toMatchObject([{ amount: '73.80', byRate: [{ rate: '20', total: '73.80', vat: '12.90' }] }]);
});
