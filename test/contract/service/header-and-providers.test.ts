import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import { summaryText } from '../../../src/service/audit/summary/summary-text.ts';
import { shopDto } from '../../support/worlds/compliance-caller.ts';
import { type ReceiptWorld, startReceiptWorld } from '../../support/worlds/receipt-world.ts';

const BEGIN = '2026-11-20T10:00:00.000Z';
const AFTER = '2026-12-03T10:00:00.000Z';

let world: ReceiptWorld;
let shop: Awaited<ReturnType<ReceiptWorld['shop']>>;

beforeAll(async () => {
  world = await startReceiptWorld(BEGIN);
});
beforeEach(async () => {
  world.at(BEGIN);
  shop = await world.shop();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The file of November, made in December, and what is found in it. */
async function november(): Promise<{ xml: string; findings: { rule: string; level: string }[] }> {
  world.at(AFTER);
  const made = await generateMonth(world.server.service.audit, { shopId: shop.shopId, month: '2026-11', now: true });
  if (made.kind !== 'generated') throw new Error(`it is ${made.kind}`);
  const { rows } = await world.server.pool.query('select content from compliance.audit_file_chunks where file_id = $1 order by 1', [made.file.id]);
  const xml = gunzipSync(Buffer.concat(rows.map((row: { content: Buffer }) => row.content)));
  return { xml: new TextDecoder('windows-1251').decode(xml), findings: made.file.findings };
}

async function summary(): Promise<string> {
  const read = await readMonthSummary(world.server.service.audit, { shopId: shop.shopId, month: '2026-11' });
  if (read === null) throw new Error('there is no such shop');
  return summaryText(read).replace(/\s+/g, ' ');
}

describe('D13: a shop in a folder of its own domain', () => {
  beforeEach(async () => {
    shop = await world.shop(null, { domain: 'firma.example/magazin' });
    await shop.order();
  });

  test('is warned about until its kind is said, and is in the file what it says', async () => {
    const warned = [{ path: 'domain', message: expect.stringContaining('eShopType') }];
    expect((await shop.read(`/shops/${shop.shopId}`)).body['warnings']).toEqual(warned);
    expect((await shop.call('PUT', `/shop/${shop.shopId}`, { body: { name: 'Друг' } })).body['warnings']).toEqual(warned);

    const said = await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { eShopType: 1 } });

    expect(said.body['warnings']).toEqual([]);
    expect((await november()).xml).toContain('<e_shop_type>1</e_shop_type>');
  });

  test('is in a platform as long as nobody says otherwise', async () => {
    expect((await november()).xml).toContain('<e_shop_type>2</e_shop_type>');
  });
});

test('D13: a platform’s shop with a domain of its own can say so', async () => {
  await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { eShopType: 2 } });
  await shop.order();

  expect((await november()).xml).toContain('<e_shop_type>2</e_shop_type>');
});

describe('D13: a provider', () => {
  const named = async (paymentProcessorName: string, paymentType = 'PAYMENT_PROCESSOR') => shop.order({ paymentProcessorName, paymentType });

  test.each([
    ['Stripe', '<proc_id>IE3206488LH Stripe</proc_id>'],
    ['ePay.bg', '<proc_id>131344648 Изипей АД</proc_id>'],
    ['PayPal', '<proc_id>B00000351 PayPal (Europe)'],
    ['IE3206488LH Stripe', '<proc_id>IE3206488LH Stripe</proc_id>'],
    ['175325806 Друг АД', '<proc_id>175325806 Друг АД</proc_id>'],
  ])('%s is in the file with its number, and nothing is warned about', async (said, written) => {
    const order = await named(said);
    const { xml, findings } = await november();

    expect(order).toMatchObject({ paymentProcessorName: said, warnings: [] });
    expect(xml).toContain(written);
    expect(findings.map(({ rule }) => rule)).not.toContain('order.processor-number-missing');
  });

  test.each(['myPOS', 'Каса 24', 'Stripe Bulgaria'])('%s, whose number nobody knows, is warned about with the order and in the file', async (said) => {
    const order = await named(said);
    const { xml, findings } = await november();

    expect(order['warnings']).toEqual([{ path: 'paymentProcessorName', message: expect.stringContaining('without a number') }]);
    expect((await shop.read(`/orders/${String(order['id'])}`)).body['warnings']).toEqual(order['warnings']);
    expect(xml).toContain(`<proc_id>${said}</proc_id>`);
    expect(findings).toContainEqual(expect.objectContaining({ level: 'warning', rule: 'order.processor-number-missing' }));
  });

  test.each([
    ['Банка ДСК', 1],
    ['V5400117', 0],
  ])('%s as the number of a virtual POS has %i warnings', async (said, count) => {
    expect((await named(said, 'VIRTUAL_POS'))['warnings']).toHaveLength(count);
  });
});

describe('D13: a natural person who is a merchant', () => {
  test.each([
    ['ЕГН', '7523169263'],
    ['ЛНЧ', '7111042925'],
  ])('has ten digits with their check digit: %s', async (_kind, companyUic) => {
    expect((await shop.call('POST', '/shop', { body: shopDto({ companyUic }) })).status).toBe(200);
    const wrong = `${companyUic.slice(0, 9)}${(Number(companyUic[9]) + 4) % 10}`;
    expect((await shop.call('POST', '/shop', { body: shopDto({ companyUic: wrong }) })).status).toBe(400);
    expect((await shop.call('POST', '/shop', { body: shopDto({ companyUic: '0000000000' }) })).status).toBe(400);
  });

  test('has a sequence of their own, no matter who shares their first nine digits', async () => {
    const person = await world.shop(null, { companyUic: '7523169263', receiptStartNumber: 500 });
    const sibling = await world.shop(null, { companyUic: '7523169265', receiptStartNumber: 700 });

    expect(await Promise.all([person.order(), sibling.order()])).toMatchObject([{ documentNumber: '0000000500' }, { documentNumber: '0000000700' }]);
  });

  test('is in their file with all ten', async () => {
    shop = await world.shop(null, { companyUic: '7111042925' });
    await shop.order();

    expect((await november()).xml).toContain('<eik>7111042925</eik>');
  });
});

describe('D13: a change of what the agency has on record', () => {
  test.each([
    [{ nraNumber: 'RF0000777' }, ['nraNumber']],
    [{ domain: 'mugs.example' }, ['domain']],
    [{ nraNumber: 'RF0000777', domain: 'mugs.example' }, ['nraNumber', 'domain']],
    [{ nraNumber: 'RF0000123', name: 'Друг' }, []],
  ])('%j is answered with a warning to report it within 7 days', async (body, paths) => {
    const { warnings } = (await shop.call('PUT', `/shop/${shop.shopId}`, { body })).body;

    expect(warnings).toEqual(paths.map((path) => ({ path, message: expect.stringContaining('within 7 days') })));
    expect((await shop.read(`/shops/${shop.shopId}`)).body['warnings']).toEqual([]);
  });
});

describe('decision 1: a month’s page', () => {
  test('counts orders by card without a document, and documents that no buyer was mailed', async () => {
    await shop.order({ internalId: '1' });
    await shop.order({ internalId: '2', paymentType: 'VIRTUAL_POS', paymentProcessorName: 'V5400117' });
    await shop.order({ internalId: '3', paymentType: 'POSTAL_PAYMENT' });
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { automaticReceipts: true } });
    await shop.order({ internalId: '4' });
    await shop.order({ internalId: '5', customer: undefined });

    expect(await summary()).toContain('2 поръчки с карта без документ. ');
    expect(await summary()).toContain('1 документ не е изпратен на купувача. ');
    await november();
    expect(await summary()).toContain('2 поръчки с карта без документ. ');
  });

  test('says nothing of it where every order has its document', async () => {
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { automaticReceipts: true } });
    await shop.order();
    await shop.order({ internalId: '2', paymentType: 'POSTAL_PAYMENT' });

    expect(await summary()).not.toContain('Документи за продажбите с карта');
  });
});
