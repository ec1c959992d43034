import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceTo } from '../../../src/operations/service/numbers.ts';
import { runs } from '../../support/run-size.ts';
import { startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type AuditWorld, startAuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();
const ORDERS = runs(60, 300);
const AGAIN = runs(20, 100);
let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const world = async (): Promise<AuditWorld> => worlds.audit('2026-11-20T10:00:00Z');
const order = (n: number, changes: Record<string, unknown> = {}) => ({ internalId: `id-${n}`, internalNumber: `#${n}`, ...changes });

describe('document numbers', () => {
  test('begin at the shop’s start number and rise by one', async () => {
    await using w = await world();
    const shopId = await w.newShop({ companyUic: '831641791', receiptStartNumber: 4_000 });

    const numbers = [];
    for (const n of [1, 2, 3]) numbers.push((await w.create(order(n, { shopId }))).documentNumber);

    expect(numbers).toEqual(['0000004000', '0000004001', '0000004002']);
  });

  test('are one sequence over all shops of a merchant, branches included, and another for another merchant', async () => {
    await using w = await world();
    const second = await w.newShop({ name: 'Втори', receiptStartNumber: 77 });
    const foreign = await w.newShop({ name: 'Чужд', companyUic: '831641791' });

    const first = await w.create(order(1));
    const other = await w.create(order(2, { shopId: second }));
    const strange = await w.create(order(3, { shopId: foreign }));

    expect([first, other, strange].map(({ documentNumber }) => documentNumber)).toEqual(['0000000001', '0000000002', '0000000001']);
  });

  test('are not used up by refused orders', async () => {
    await using w = await world();
    await w.create(order(1));

    await w.call('POST', '/order', { body: orderDto(w.shopId, order(1)) });
    await w.call('POST', '/order', { body: orderDto(w.shopId, order(2, { currency: 'XXX' })) });
    await w.call('POST', '/order', { body: orderDto('3f2f8b1e-7c1e-4b58-9a3e-0d3c1f5e8a11', order(3)) });

    expect((await w.create(order(4))).documentNumber).toBe('0000000002');
  });

  test('of deleted orders stay on record as voided and are not given again', async () => {
    await using w = await world();
    const first = await w.create(order(1));
    await w.remove(first.id);

    const next = await w.create(order(2));

    expect(next.documentNumber).toBe('0000000002');
    const { rows } = await w.server.pool.query('select merchant, number::int as number from compliance.voided_numbers');
    expect(rows).toEqual([{ merchant: '206770508', number: 1 }]);
  });

  test('stay with an order that is replaced, which is no longer voided then', async () => {
    await using w = await world();
    const first = await w.create(order(1));
    await w.create(order(2));
    await w.remove(first.id);

    const replacement = await w.create(order(1));

    expect(replacement.documentNumber).toBe('0000000001');
    const { rows } = await w.server.pool.query('select number from compliance.voided_numbers');
    expect(rows).toEqual([]);
  });

  test('of a shop that is deleted stay on record, and its merchant goes on counting', async () => {
    await using w = await world();
    await w.create(order(1));
    await w.create(order(2));
    await w.call('DELETE', `/shop/${w.shopId}`, { body: { name: shopDto().name } });

    const again = await w.newShop();

    expect((await w.create(order(3, { shopId: again }))).documentNumber).toBe('0000000003');
    const { rows } = await w.server.pool.query('select number::int as number from compliance.voided_numbers order by number');
    expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('D19: of orders that are being recorded while their shop is deleted are counted and voided, too', async () => {
    await using w = await world();
    await w.create(order(1));
    const recording = await w.server.pool.connect();
    await recording.query('begin');
    await recording.query('select from compliance.shops where id = $1 for key share', [w.shopId]);
    await recording.query(`insert into compliance.orders select (jsonb_populate_record(o, jsonb_build_object(
      'id', gen_random_uuid(), 'internal_id', 'other', 'document_number', 2))).* from compliance.orders o`);
    const deleting = w.call('DELETE', `/shop/${w.shopId}`, { body: { name: shopDto().name } });
    await expect.poll(async () => (await recording.query('select from pg_locks where not granted')).rowCount).toBe(1);
    await recording.query('commit');
    recording.release();

    expect((await deleting).body).toMatchObject({ deletedOrders: 2 });
    const { rows } = await w.server.pool.query('select number::int as number from compliance.voided_numbers order by number');
    expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('end with a clear message', async () => {
    await using w = await world();
    const shopId = await w.newShop({ companyUic: '831641791' });
    await advanceTo(w.server, { companyUic: '831641791', to: 9_999_999_999, why: 'from another system', by: 'cli:test@host' });
    await w.create(order(1, { shopId }));

    const answer = await w.call('POST', '/order', { body: orderDto(shopId, order(2)) });

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ type: 'urn:compliance-service:problem:document-numbers-used-up' });
  });

  test('have no gap when two services create at once, some of it refused, some deleted', async () => {
    const databaseUrl = await postgres.createDatabase();
    await using w = await startAuditWorld(databaseUrl, '2026-11-20T10:00:00Z');
    await using twin = await startComplianceServer({ databaseUrl, sealing: w.server.sealing, now: w.now });
    const key = await w.server.service.keys.create({ multiShop: true });
    const callers = [callerOf(w.server.baseUrl, key), callerOf(twin.baseUrl, key)];
    const { body: shop } = await callerOf(w.server.baseUrl, key)('POST', '/shop', { body: shopDto({ companyUic: '831641791' }) });
    const create = (n: number) => callers[n % 2]?.('POST', '/order', { body: orderDto(String(shop['id']), order(n % ORDERS)) });

    const answers = await Promise.all(Array.from({ length: ORDERS + AGAIN }, (_, n) => create(n)));

    const numbers = answers.filter((answer) => answer?.status === 200).map((answer) => Number(answer?.body['documentNumber']));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ORDERS }, (_, i) => i + 1));
    expect(answers.filter((answer) => answer?.status === 409)).toHaveLength(AGAIN);
  });
});
