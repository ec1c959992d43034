import { expect, test } from 'vitest';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { dueMonths, monthsToRemindOf } from '../../../src/service/audit/month/due-months.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { monthsAtRisk } from '../../../src/service/audit/month/months-at-risk.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import { serveMonth } from '../../../src/service/audit/month/serve-month.ts';
import { renderSummary } from '../../../src/service/audit/summary/render-summary.ts';
import { answers } from '../../../src/service/interface/schemas.ts';
import { readReceipt } from '../../../src/service/receipts/read-receipts.ts';
import { receiptMailBuilder } from '../../../src/service/receipts/receipt-mail.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { readerOf } from '../../support/worlds/reader.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const MONTH = '2026-10';
const AFTER_TERM = '2026-11-20T10:00:00Z';

const worlds = useServiceWorlds();

/** Beside a real shop of the company a test shop of another owner, who asked nobody. */
async function startTestShop() {
  const w = await worlds.audit(OCTOBER);
  return { w, ...(await testTenant(w)), [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

async function testTenant(w: AuditWorld) {
  const key = await w.server.service.keys.create({ multiShop: true, test: true });
  const call = callerOf(w.server.baseUrl, key);
  const shop = await call('POST', '/shop', { body: shopDto() });
  const shopId = String(shop.body['id']);
  const order = async (n: number, changes: Record<string, unknown> = {}) =>
    (await call('POST', '/order', { body: orderDto(shopId, { ...october(n), ...changes }) })).body;
  return { key, call, shop, shopId, order, read: readerOf(w.server.baseUrl, key) };
}

test('D8: test orders take numbers of a sequence of their own, one for each owner', async () => {
  await using it = await startTestShop();
  const other = await testTenant(it.w);

  const mine = [await it.order(1), await it.order(2)];
  const theirs = await other.order(1);
  const real = await it.w.create(october(1));

  expect(mine.map(({ documentNumber }) => documentNumber)).toEqual(['0000000001', '0000000002']);
  expect([theirs['documentNumber'], real.documentNumber]).toEqual(['0000000001', '0000000001']);
});

test('a test shop shows that it is one, claims no company, and gets no warning', async () => {
  await using it = await startTestShop();
  const { read, shop, shopId } = it;

  expect(shop).toMatchObject({ status: 200, body: { test: true, warnings: [] } });
  expect((await read(`/shops/${shopId}`)).body).toMatchObject({ test: true });
  expect((await readerOf(it.w.server.baseUrl, it.key)('/shops')).body['items']).toMatchObject([{ test: true }]);
  const { rows } = await it.w.server.pool.query('select count(*)::int as owners from compliance.company_owners');
  expect(rows).toEqual([{ owners: 1 }]);
  expect((await it.w.call('PUT', `/shop/${it.w.shopId}`, { body: { name: 'Истински' } })).body).not.toHaveProperty('test');
});

test('orders and receipts of a test shop say what they are, created, repeated and listed; real ones do not', async () => {
  await using it = await startTestShop();
  const { server } = it.w;
  const request = { body: orderDto(it.shopId, october(1)), headers: { 'idempotency-key': 'once' } };
  const order = await it.call('POST', '/order', request);
  const receipt = await it.call('POST', `/order/${String(order.body['id'])}/receipt`);
  const real = await it.w.create(october(1));
  const read = readerOf(server.baseUrl, it.key);

  const ofTest = [order.body, (await it.call('POST', '/order', request)).body, receipt.body, (await read(`/orders/${String(order.body['id'])}`)).body];
  expect(ofTest.map(({ test: mark }) => mark)).toEqual([true, true, true, true]);
  for (const path of ['/orders', '/receipts']) expect((await read(path)).body['items']).toMatchObject([{ test: true }]);
  const realRead = readerOf(server.baseUrl, it.w.credentials);
  expect(await it.w.call('POST', `/order/${real.id}/receipt`)).not.toHaveProperty('body.test');
  expect((await realRead(`/orders/${real.id}`)).body).not.toHaveProperty('test');
});

test('the numbers of a test shop may be raised and its company changed, which touches no real sequence', async () => {
  await using it = await startTestShop();
  await it.w.create(october(1));

  const moved = await it.call('PUT', `/shop/${it.shopId}`, { body: { companyUic: '131071587' } });
  const first = await it.order(1);
  const raised = await it.call('PUT', `/shop/${it.shopId}`, { body: { receiptStartNumber: 100_001 } });

  expect([moved.status, first['documentNumber'], raised.status]).toEqual([200, '0000000001', 200]);
  expect((await it.order(2))['documentNumber']).toBe('0000100001');
  expect((await it.w.create(october(2))).documentNumber).toBe('0000000002');
});

test('another key of its owner makes test shops too, and so does the one that it is rotated to', async () => {
  await using it = await startTestShop();
  const { keys } = it.w.server.service;
  const added = await keys.add(it.key.id, { multiShop: true });
  const rotated = await keys.rotate(it.key.id);
  if (added === null || rotated === null) throw new Error('no key was made');

  for (const key of [added, rotated]) {
    expect((await callerOf(it.w.server.baseUrl, key)('POST', '/shop', { body: shopDto() })).body).toMatchObject({ test: true });
  }
  expect((await keys.list()).filter(({ ownerId }) => ownerId === it.key.id).map((one) => one.test)).toEqual([true, true, true]);
});

test('receipts of a test shop bear a watermark, as a page, in the mail and in its subject; real ones do not', async () => {
  await using it = await startTestShop();
  const { pool } = it.w.server;
  const { id: orderId } = await it.order(1, { customer: { email: 'ivan@buyer.example' } });
  const real = await it.w.create({ ...october(1), customer: { email: 'ivan@buyer.example' } });
  const documents = await Promise.all([
    documentOf(String((await it.call('POST', `/order/${String(orderId)}/receipt`)).body['id'])),
    documentOf(String((await it.w.call('POST', `/order/${real.id}/receipt`)).body['id'])),
  ]);

  const marks = documents.map((texts) => texts.map((text) => text.includes('ТЕСТ / TEST')));
  expect(marks).toEqual([
    [true, true, true, true],
    [false, false, false, false],
  ]);

  async function documentOf(id: string): Promise<string[]> {
    const receipt = await readReceipt(pool, { dialect: embeddedDialect, id });
    const letter = await receiptMailBuilder(pool)({ receiptId: id });
    const mail = (await letter?.write({ address: 'buyer@example.invalid', light: false })) ?? null;
    if (receipt === null || mail === null) throw new Error('there is no receipt');
    return [receipt.html, String(mail.html), mail.text, mail.subject];
  }
});

test('a month of a test shop makes no file, nobody is reminded of it, and its page says why', async () => {
  await using it = await startTestShop();
  const { w, shopId } = it;
  await it.order(1);
  await w.create(october(1));
  w.setClock(NOVEMBER_IN_TERM);
  const key = { shopId, month: MONTH };

  expect(await generateMonth(auditDeps(w), key)).toEqual({ kind: 'test-shop' });
  expect(await serveMonth(auditDeps(w), key)).toEqual({ kind: 'done', generation: 'test-shop' });
  const due = (await dueMonths(w.server.pool, new Date('2026-11-14T10:00:00Z'))).map((one) => one.shopId);
  const reminded = (await monthsToRemindOf(w.server.pool, new Date('2026-11-13T10:00:00Z'))).map((one) => one.shopId);
  expect([due, reminded]).toEqual([[w.shopId], [w.shopId]]);
  const summary = await readMonthSummary(auditDeps(w), key);
  if (summary === null) throw new Error('there is no page');
  expect(renderSummary(summary)).toContain('Това е тестов магазин');
  expect((await w.server.pool.query('select 1 from compliance.mails')).rowCount).toBe(0);
});

test('test orders never count as late, unfiled, without a rate or outstanding', async () => {
  await using it = await startTestShop();
  const { w } = it;
  await it.order(1);
  await it.order(2, { currency: 'USD' });
  await w.server.pool.query(`insert into compliance.outstanding values ($1, now(), '[{"orders": 2}]')`, [it.shopId]);
  w.setClock(AFTER_TERM);

  expect(await monthsAtRisk(w.server.pool, w.now())).toEqual([]);
  const attention = await w.server.service.attention();
  expect(attention).toMatchObject({ ordersWithoutRate: 0, outstanding: 0, months: { blocked: 0, unfiled: 0, late: 0 } });
});

test('the months of a test shop say so in the list, too, as the interface’s description has it', async () => {
  await using it = await startTestShop();
  await it.order(1);

  const listed = (await it.read(`/shops/${it.shopId}/months`)).body;
  const shown = (await it.read(`/shops/${it.shopId}/months/${MONTH}`)).body;

  expect(listed['items']).toMatchObject([{ month: MONTH, situation: 'test' }]);
  expect(shown).toMatchObject({ situation: { kind: 'test' }, receipts: { missing: 1 } });
  expect([answers.MonthPage.safeParse(listed).error?.issues, answers.MonthDto.safeParse(shown).error?.issues]).toEqual([undefined, undefined]);
});
