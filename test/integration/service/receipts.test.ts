import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordedOrderText } from '../../../src/cli/text/recorded-order-text.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { BY_PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import { readOrder } from '../../../src/service/reading/read-orders.ts';
import { issueReceipt } from '../../../src/service/receipts/issue-receipt.ts';
import { listReceipts, readReceipt } from '../../../src/service/receipts/read-receipts.ts';
import { resendReceipt } from '../../../src/service/receipts/resend-receipt.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const NOBODY = '00000000-0000-4000-8000-000000000000';

let postgres: TestPostgres;
let server: ComplianceServer;
let keyId: string;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => NOW });
});
beforeEach(async () => {
  const key = await sharingKey(server, { multiShop: true });
  keyId = key.id;
  call = callerOf(server.baseUrl, key);
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function order(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await call('POST', '/order', { body: orderDto(shopId, changes) });
  return String(body['id']);
}

function issue(orderId: string, amounts: 'decimal' | 'minor' = 'decimal') {
  return issueReceipt(server.pool, { caller: { keyId, dialect: { ...embeddedDialect, amounts } }, orderId, now: NOW });
}

async function mailsOf(receiptId: string): Promise<unknown[]> {
  const { rows } = await server.pool.query('select kind, ref, shop_id as "shopId" from compliance.mails where dedup_key = $1', [`receipt/${receiptId}`]);
  return rows;
}

describe('issuing', () => {
  test('returns number, sum and state of the mail, and queues that mail with ids alone', async () => {
    const orderId = await order();

    const receipt = await issue(orderId);

    expect(receipt).toEqual({
      id: expect.any(String),
      orderId,
      shopId,
      documentNumber: expect.stringMatching(/^\d{10}$/),
      documentDate: '2026-11-20',
      edition: 1,
      issuedAt: NOW.toISOString(),
      total: 59.45,
      currency: 'EUR',
      emailed: 'queued',
    });
    expect(await mailsOf(receipt.id)).toEqual([{ kind: 'receipt', ref: { receiptId: receipt.id }, shopId }]);
  });

  test('repeated and in parallel returns the same receipt and mails once', async () => {
    const orderId = await order();

    const receipts = await Promise.all(Array.from({ length: 8 }, () => issue(orderId)));

    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    const { rows } = await server.pool.query('select count(*)::int as n from compliance.mails where shop_id = $1', [shopId]);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test.each([[undefined], [{ firstName: 'Иван' }], [{ email: 'not an address' }], [{ email: 'a@b.example, c@d.example' }]])(
    'a buyer without a usable address (%j) gets no mail',
    async (customer) => {
      const receipt = await issue(await order({ customer }));

      expect(receipt.emailed).toBe('no-address');
      expect(await mailsOf(receipt.id)).toEqual([]);
    },
  );

  test('nor does one whose data was changed, of whom the order says so', async () => {
    const orderId = await order();
    await server.pool.query('update compliance.orders set customer = set_byte(customer, 40, get_byte(customer, 40) # 1) where id = $1', [orderId]);

    const receipt = await issue(orderId);

    expect(receipt.emailed).toBe('no-address');
    const read = await readOrder(server.pool, { keyId, dialect: embeddedDialect, id: orderId });
    expect(read).toMatchObject({ id: orderId, unreadable: 'customer' });
    expect(read === null ? [] : recordedOrderText(read, { stdout: process.stdout }).filter((line) => line.startsWith('buyer'))).toEqual([
      expect.stringContaining('can’t be decrypted'),
    ]);
    const resend = resendReceipt(server.pool, { caller: { keyId, dialect: embeddedDialect }, id: receipt.id, now: NOW, said: BY_PROGRAM });
    await expect(resend).rejects.toMatchObject({ code: 'receipt-without-address' });
    expect((await call('DELETE', `/order/${orderId}`)).status).toBe(200);
  });

  test('amounts are in the unit of the key', async () => {
    expect((await issue(await order(), 'minor')).total).toBe(5945);
  });

  test('an order paid by postal payment has none', async () => {
    const orderId = await order({ paymentType: 'POSTAL_PAYMENT' });

    await expect(issue(orderId)).rejects.toMatchObject({ code: 'receipt-not-due', status: 422 });
  });

  test('a missing order, or another key’s, is not found', async () => {
    const orderId = await order();
    keyId = (await server.service.keys.create({ multiShop: true })).id;

    await expect(issue(orderId)).rejects.toMatchObject({ code: 'not-found' });
    await expect(issue(NOBODY)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('an order that is deleted at the same moment leaves no receipt behind', async () => {
    for (const internalId of ['r1', 'r2', 'r3', 'r4', 'r5']) {
      const orderId = await order({ internalId });

      const [issued] = await Promise.allSettled([issue(orderId), call('DELETE', `/order/${orderId}`)]);

      if (issued.status === 'rejected') expect(issued.reason).toMatchObject({ code: 'not-found' });
      const { rows } = await server.pool.query('select id from compliance.receipts where order_id = $1', [orderId]);
      expect(rows).toEqual([]);
    }
  });
});

describe('reading', () => {
  test('a receipt shows the seller as they were on the day of issue', async () => {
    const { id } = await issue(await order());
    await call('PUT', `/shop/${shopId}`, { body: { companyName: 'Други ООД' } });

    const read = await readReceipt(server.pool, { keyId, dialect: embeddedDialect, id });

    expect(read?.dto.id).toBe(id);
    expect(read?.html).toContain('Чаши ЕООД');
    expect(read?.html).not.toContain('Други ООД');
  });

  test('a replacement keeps the number, and says what it replaces', async () => {
    const first = await issue(await order());
    await call('DELETE', `/order/${first.orderId}`);
    const second = await issue(await order({ lineItems: [{ name: 'Чаша', quantity: 1, price: 12.9, vatRate: 20, vatGroup: 'GROUP_B' }] }));

    const gone = await readReceipt(server.pool, { keyId, dialect: embeddedDialect, id: first.id });
    const read = await readReceipt(server.pool, { keyId, dialect: embeddedDialect, id: second.id });

    expect(gone).toBeNull();
    expect(second).toMatchObject({ documentNumber: first.documentNumber, edition: 2, total: 12.9 });
    expect(read?.html).toContain('заменя издадения');
  });

  test('a key can’t read another key’s receipts', async () => {
    const { id } = await issue(await order());
    const { id: stranger } = await server.service.keys.create({ multiShop: true });

    expect(await readReceipt(server.pool, { keyId: stranger, dialect: embeddedDialect, id })).toBeNull();
    expect(await listReceipts(server.pool, { keyId: stranger, dialect: embeddedDialect, limit: 10 })).toEqual({ items: [], next: null });
  });

  test('a list goes on where it ended, and can be of one shop or month', async () => {
    const other = String((await call('POST', '/shop', { body: shopDto({ name: 'Друг' }) })).body['id']);
    const ids = [await issue(await order()), await issue(await order({ internalId: '2' })), await issue(await order({ internalId: '3', shopId: other }))];
    const reader = { keyId, dialect: embeddedDialect };

    const all = await listReceipts(server.pool, { ...reader, limit: 2 });
    const ofShop = await listReceipts(server.pool, { ...reader, shopId: other, limit: 10 });
    const ofMonth = await listReceipts(server.pool, { ...reader, month: '2026-10', limit: 10 });

    expect(all.items).toHaveLength(2);
    expect(all.next).not.toBeNull();
    expect(ofShop.items.map(({ id }) => id)).toEqual([ids[2]?.id]);
    expect(ofMonth.items).toEqual([]);
  });
});
