import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutstandingDto } from '../../../src/contract/outstanding-dto.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { outstandingDto, reporterOf } from '../../support/worlds/outstanding.ts';
import { readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
let postgres: TestPostgres;
let server: ComplianceServer;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service'), now: () => new Date('2026-11-10T04:00:00Z') });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function shop() {
  const key = await sharingKey(server, { multiShop: true });
  const { body } = await callerOf(server.baseUrl, key)('POST', '/shop', { body: shopDto() });
  const shopId = String(body['id']);
  const report = reporterOf(server.baseUrl, key);
  return { key, shopId, report: (list: unknown) => report(shopId, list) };
}

describe('a report of paid orders that are not recorded', () => {
  test('is kept, and answered as it is kept', async () => {
    const { report } = await shop();

    expect(await report(outstandingDto())).toEqual({ status: 200, body: outstandingDto() });
  });

  test('replaces the one before, also with an empty list', async () => {
    const { report } = await shop();
    await report(outstandingDto());
    const empty = outstandingDto({ at: '2026-11-10T03:05:00.000Z', months: [] });

    expect(await report(empty)).toEqual({ status: 200, body: empty });
    expect(await report(empty)).toEqual({ status: 200, body: empty });
  });

  test('changes nothing if it was counted before the one that is kept', async () => {
    const { report } = await shop();
    const newer = outstandingDto({ at: '2026-11-10T05:05:00+02:00', months: [] });
    await report(newer);

    expect(await report(outstandingDto())).toEqual({ status: 200, body: { at: '2026-11-10T03:05:00.000Z', months: [] } });
  });

  test('may have an offset that PostgreSQL does not read', async () => {
    const { report } = await shop();

    expect(await report(outstandingDto({ at: '2026-11-10T03:00:00+20:00' }))).toMatchObject({ status: 200, body: { at: '2026-11-09T07:00:00.000Z' } });
  });

  test('is 404 for a shop of another key, one that does not exist, and an id that is none', async () => {
    const { shopId } = await shop();
    const other = reporterOf(server.baseUrl, await sharingKey(server, { multiShop: true }));

    for (const id of [shopId, NIL, 'mine']) expect((await other(id, outstandingDto())).status).toBe(404);
  });

  test('needs a signature over its body, and PUT', async () => {
    const { key, shopId } = await shop();
    const read = readerOf(server.baseUrl, key);
    const forged = await fetch(`${server.baseUrl}/service/v1/shops/${shopId}/outstanding`, {
      method: 'PUT',
      headers: { 'x-api-key': key.apiKey, 'x-signature': '00' },
      body: JSON.stringify(outstandingDto()),
    });
    const got = await read(`/shops/${shopId}/outstanding`);

    expect(forged.status).toBe(401);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'PUT']);
  });

  test('goes with its shop', async () => {
    const { key, shopId, report } = await shop();
    await report(outstandingDto());

    await callerOf(server.baseUrl, key)('DELETE', `/shop/${shopId}`, { body: { name: shopDto().name } });

    expect((await server.pool.query('select from compliance.outstanding where shop_id = $1', [shopId])).rowCount).toBe(0);
  });
});

const refused: [string, unknown, string][] = [
  ['a month that is none', outstandingDto({}, { month: '2026-13' }), 'months[0].month'],
  ['no orders', outstandingDto({}, { orders: 0 }), 'months[0].orders'],
  ['half an order', outstandingDto({}, { orders: 1.5 }), 'months[0].orders'],
  ['decimals that the currency does not have', outstandingDto({}, { total: '36.000' }), 'months[0].total'],
  ['too few decimals', outstandingDto({}, { total: '36' }), 'months[0].total'],
  ['money below zero', outstandingDto({}, { total: '-36.00' }), 'months[0].total'],
  ['a currency that is none', outstandingDto({}, { currency: 'eur' }), 'months[0].currency'],
  ['a day for an instant', outstandingDto({}, { oldest: '2026-10-03' }), 'months[0].oldest'],
  ['a code that is none', outstandingDto({}, { codes: { 'Payment unmapped': 1 } }), 'months[0].codes.Payment unmapped'],
  ['a code of no order', outstandingDto({}, { codes: { queued: 0 } }), 'months[0].codes.queued'],
  ['a code of more orders than there are', outstandingDto({}, { codes: { queued: 4 } }), 'months[0].codes.queued'],
  ['a month and currency twice', { ...outstandingDto(), months: [...outstandingDto().months, ...outstandingDto().months] }, 'months[1]'],
  ['a time without an offset', outstandingDto({ at: '2026-11-10T03:00:00' }), 'at'],
  ['a time to come', outstandingDto({ at: '2026-11-10T04:11:00.000Z' }), 'at'],
  ['a field that is not known', { ...outstandingDto(), shop: 'mine' }, 'shop'],
  ['more months than a shop has', { ...outstandingDto(), months: Array.from({ length: 101 }, () => outstandingDto().months[0]) }, 'months'],
];

test.each(refused)('%s is refused, and the field is named', async (_, list, path) => {
  const { report } = await shop();

  const { status, body } = await report(list);

  expect(status).toBe(400);
  expect(body).toMatchObject({ type: 'urn:compliance-service:problem:body-invalid', errors: expect.arrayContaining([expect.objectContaining({ path })]) });
});

test('amounts have the decimals of their currency, and one month may have several currencies', async () => {
  const { report } = await shop();
  const [october] = outstandingDto().months;
  const months = [october, { ...october, currency: 'JPY', total: '5000' }] as OutstandingDto['months'];

  expect((await report(outstandingDto({ months }))).status).toBe(200);
});
