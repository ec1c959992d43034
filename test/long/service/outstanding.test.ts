import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { listMonths } from '../../../src/service/audit/month/list-months.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { readMonthState } from '../../../src/service/audit/month/month-state.ts';
import { keepOutstanding } from '../../../src/service/audit/month/outstanding.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import { readVersion } from '../../../src/service/audit/month/read-versions.ts';
import type { BeforeFile } from '../../../src/service/audit/month/serve-month.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { outstandingDto } from '../../support/worlds/outstanding.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const MONTH = '2026-10';
const three = { orders: 3, totals: [{ currency: 'EUR', total: '36.00' }], codes: [{ code: 'payment.unmapped', orders: 3 }] };

/** October with one recorded order and a file, in its term. */
async function world(): Promise<AuditWorld & { key: { shopId: string; month: string } }> {
  const w = await worlds.audit(OCTOBER);
  await w.create(october(1));
  w.setClock(NOVEMBER_IN_TERM);
  const key = { shopId: w.shopId, month: MONTH };
  await generateMonth(auditDeps(w), key);
  return { ...w, key };
}

async function report({ server, shopId }: AuditWorld, list = outstandingDto()): Promise<void> {
  const { rows } = await server.pool.query('select api_key_id as id from compliance.shops where id = $1', [shopId]);
  expect(await keepOutstanding(server.pool, { keyId: rows[0].id, shopId, list })).toEqual(list);
}

const filing = (w: Awaited<ReturnType<typeof world>>, withoutOutstanding = false) =>
  markFiled(w.server.pool, { ...w.key, version: null, now: w.now(), withoutOutstanding });

describe('a month with paid orders that are not recorded', () => {
  test('shows them, and no longer once a report has none', async () => {
    await using w = await world();
    expect(await readMonthSummary(auditDeps(w), w.key)).not.toHaveProperty('outstanding');
    await report(w);

    expect(await readMonthSummary(auditDeps(w), w.key)).toMatchObject({ situation: { kind: 'generated' }, outstanding: three });
    expect(await readMonthSummary(auditDeps(w), { ...w.key, month: '2026-11' })).not.toHaveProperty('outstanding');

    await report(w, outstandingDto({ at: '2026-11-10T04:00:00.000Z', months: [] }));
    expect(await readMonthSummary(auditDeps(w), w.key)).not.toHaveProperty('outstanding');
  });

  test('is not marked as filed by mistake', async () => {
    await using w = await world();
    await report(w);

    expect(await filing(w)).toMatchObject({ ok: false, why: 'outstanding', outstanding: three });
    expect((await readMonthState(w.server.pool, w.key)).state).toBe('generated');
  });

  test('can be filed without them, and keeps that it was', async () => {
    await using w = await world();
    await report(w);

    expect(await filing(w, true)).toMatchObject({ ok: true, version: 1, without: three });

    expect(await readMonthSummary(auditDeps(w), w.key)).toMatchObject({ situation: { kind: 'filed' }, filedWithout: three });
    expect(await listMonths(auditDeps(w), w.shopId)).toMatchObject([
      { month: '2026-11', orders: 0, outstanding: three },
      { month: MONTH, state: 'filed', filedWithout: three },
    ]);
  });

  test('gives them to the month after it once it is filed, as a create would be listed', async () => {
    await using w = await world();
    await report(w);
    await filing(w, true);

    const november = await readMonthSummary(auditDeps(w), { ...w.key, month: '2026-11' });
    const { id } = await w.create(october(9));

    expect(november).toMatchObject({ situation: { kind: 'open' }, outstanding: three });
    const { rows } = await w.server.pool.query(`select to_char(month, 'YYYY-MM') as month from compliance.orders where id = $1`, [id]);
    expect(rows).toEqual([{ month: '2026-11' }]);
  });

  test('forgets what it was filed without when it is filed again without any', async () => {
    await using w = await world();
    await report(w);
    await filing(w, true);
    await markRejected(w.server.pool, w.key);
    await report(w, outstandingDto({ at: '2026-11-10T04:00:00.000Z', months: [] }));

    expect(await filing(w)).toEqual({ ok: true, version: 1 });
    expect((await readMonthState(w.server.pool, w.key)).filedWithout).toBeNull();
  });

  test('adds up what is of one month by then, by currency', async () => {
    await using w = await world();
    const [of = outstandingDto().months[0]] = outstandingDto().months;
    if (of === undefined) throw new Error('no month');
    const september = { ...of, month: '2026-09', orders: 1, total: '4.50', oldest: '2026-09-30T08:00:00.000Z', codes: { 'payment.unmapped': 1 } };
    const dollars = { ...of, currency: 'USD', orders: 2, total: '7.00', codes: { 'vat.unmapped': 2 } };
    await report(w, outstandingDto({ months: [of, september, dollars] }));

    const { outstanding } = (await readMonthSummary(auditDeps(w), w.key)) ?? {};

    expect(outstanding).toEqual({
      at: '2026-11-10T03:00:00.000Z',
      orders: 6,
      totals: [
        { currency: 'EUR', total: '40.50' },
        { currency: 'USD', total: '7.00' },
      ],
      oldest: '2026-09-30T08:00:00.000Z',
      codes: [
        { code: 'payment.unmapped', orders: 4 },
        { code: 'vat.unmapped', orders: 2 },
      ],
    });
  });

  test('is counted for operators', async () => {
    await using w = await world();
    expect((await w.server.service.attention()).outstanding).toBe(0);
    await report(w);

    expect((await w.server.service.attention()).outstanding).toBe(3);
  });
});

/** A store that answers when it is told to. */
function storeThat(answers: () => boolean): BeforeFile & { did: string[] } {
  const did: string[] = [];
  return {
    did,
    ask: async ({ month }) => void did.push(`ask ${month}`),
    isAnswered: async ({ since }) => did.push(`look ${since.toISOString()}`) > 0 && answers(),
    finish: async ({ month }) => void did.push(`finish ${month}`),
  };
}

describe('before the file of a month is made', () => {
  const SIX = '2026-11-10T04:00:00.000Z';
  const fresh = async () => {
    const w = await worlds.audit(OCTOBER);
    await w.create(october(1));
    w.setClock(SIX);
    return { ...w, key: { shopId: w.shopId, month: MONTH } };
  };

  test('the store is asked for it, once, and waited for', async () => {
    await using w = await fresh();
    let isRead = false;
    const store = storeThat(() => isRead);
    const serve = () => w.server.service.work.serveMonth(w.key, store);

    expect(await serve()).toMatchObject({ kind: 'again', why: 'reading' });
    w.setClock('2026-11-10T04:01:00Z');
    expect(await serve()).toMatchObject({ kind: 'again', why: 'reading' });
    expect(await w.server.service.work.dueMonths()).toEqual([w.key]);
    isRead = true;
    expect(await serve()).toEqual({ kind: 'done', generation: 'generated' });

    expect(store.did).toEqual([`ask ${MONTH}`, `look ${SIX}`, `look ${SIX}`, `look ${SIX}`, `finish ${MONTH}`]);
  });

  test('a store that does not answer is waited for ten minutes', async () => {
    await using w = await fresh();
    const store = storeThat(() => false);

    expect(await w.server.service.work.serveMonth(w.key, store)).toMatchObject({ kind: 'again' });
    w.setClock('2026-11-10T04:09:59Z');
    expect(await w.server.service.work.serveMonth(w.key, store)).toMatchObject({ kind: 'again' });
    w.setClock('2026-11-10T04:10:00Z');
    expect(await w.server.service.work.serveMonth(w.key, store)).toEqual({ kind: 'done', generation: 'generated' });
    expect(store.did.at(-1)).toBe(`finish ${MONTH}`);
  });

  test('one that can’t be asked does not keep the file from being made', async () => {
    await using w = await fresh();
    const broken = () => Promise.reject(new Error('broken'));
    const store = { ask: broken, isAnswered: broken, finish: broken };

    await w.server.service.work.serveMonth(w.key, store);
    w.setClock('2026-11-10T04:10:00Z');

    expect(await w.server.service.work.serveMonth(w.key, store)).toEqual({ kind: 'done', generation: 'generated' });
    expect(await readVersion(w.server.pool, w.key)).toMatchObject({ version: 1 });
  });

  test('a file that is made again asks again', async () => {
    await using w = await fresh();
    const store = storeThat(() => true);
    await w.server.service.work.serveMonth(w.key, store);
    w.setClock('2026-11-12T04:00:00Z');

    await w.server.service.work.serveMonth(w.key, store);

    expect(store.did.filter((one) => one.startsWith('ask'))).toHaveLength(2);
  });

  test('a shop that was deleted meanwhile is nobody’s', async () => {
    await using w = await fresh();
    await w.server.pool.query('delete from compliance.shops');

    expect(
      await w.server.service.work.serveMonth(
        w.key,
        storeThat(() => true),
      ),
    ).toEqual({ kind: 'done', generation: 'no-shop' });
  });
});
