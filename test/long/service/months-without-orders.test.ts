import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { listMonths } from '../../../src/service/audit/month/list-months.ts';
import { monthsAtRisk } from '../../../src/service/audit/month/months-at-risk.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { due, ofMonth, pageOf, queuedMails, serve, settle, summaryOf } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (clock = OCTOBER): Promise<AuditWorld> => worlds.audit(clock);

describe('F17: months without orders', () => {
  test('one before the shop is not ours, even after somebody asked for its file', async () => {
    await using w = await world();
    w.setClock('2026-11-20T10:00:00Z');

    for (const _ of [1, 2]) {
      expect((await summaryOf(w, '2026-09')).situation).toEqual({ kind: 'not-ours', since: '2026-10' });
      expect(await pageOf(w, '2026-09')).toContain('Магазинът е тук от октомври 2026 г.');
      await generateMonth(auditDeps(w), ofMonth(w, '2026-09'));
    }
    expect(await listMonths(auditDeps(w), w.shopId)).toEqual([]);
  });

  test('an open month speaks of the past once its day is over', async () => {
    await using w = await world();
    await w.create(october(1));

    w.setClock('2026-11-10T03:00:00Z');
    expect(await pageOf(w)).toContain('предвиден е за 10.11.2026 г.');
    w.setClock('2026-11-11T03:00:00Z');
    expect(await pageOf(w)).toContain(
      'ОЩЕ НЕ Е ИЗГОТВЕН, ЗАКЪСНЯВА\nОдиторският файл за октомври 2026 г. трябваше да бъде изготвен на 10.11.2026 г., но още не е.',
    );
  });

  test('one can be settled: not due, not reminded of, not at risk', async () => {
    await using w = await world();
    w.setClock('2026-11-10T04:00:00Z');

    expect(await settle(w)).toEqual({ ok: true });
    expect(await due(w)).toEqual([]);
    expect((await summaryOf(w)).situation).toEqual({ kind: 'nothing', note: 'Уточнено', settledOn: '2026-11-10' });
    expect(await pageOf(w)).toContain('На 10.11.2026 г. е отбелязано, че за октомври 2026 г. няма какво да се подава.');
    expect(await listMonths(auditDeps(w), w.shopId)).toMatchObject([{ month: '2026-10', state: 'nothing', situation: 'nothing' }]);
    w.setClock('2026-11-20T04:00:00Z');
    expect(await monthsAtRisk(w.server.pool, w.now())).toEqual([]);
    const { rows } = await w.server.pool.query(`select who, after from compliance.acts where act = 'month.nothing'`);
    expect(rows).toEqual([{ who: 'key:k1', after: { state: 'nothing', note: 'Уточнено' } }]);
  });

  test('settling it again is the same act, and a month that is not over or has orders is not settled', async () => {
    await using w = await world();
    w.setClock('2026-11-10T04:00:00Z');
    await settle(w);
    expect(await settle(w)).toEqual({ ok: true });
    const { rows } = await w.server.pool.query(`select from compliance.acts where act = 'month.nothing'`);

    expect(rows).toHaveLength(1);
    expect(await settle(w, '2026-11')).toEqual({ ok: false, why: 'not-ended' });
    await w.create(october(1));
    expect(await settle(w)).toEqual({ ok: false, why: 'has-orders' });
    await generateMonth(auditDeps(w), ofMonth(w));
    expect(await settle(w)).toEqual({ ok: false, why: 'has-file' });
  });

  test('an order that comes into a settled month opens it again', async () => {
    await using w = await world();
    w.setClock('2026-11-10T04:00:00Z');
    await settle(w);

    await w.create(october(1));

    expect((await summaryOf(w)).situation).toMatchObject({ kind: 'open' });
    expect(await due(w)).toEqual(['2026-10']);
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'generated' });
    expect((await summaryOf(w)).situation).toMatchObject({ kind: 'generated' });
  });

  test('a month whose orders the shop leaves out of its files can be settled, and one more opens it', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditNoReceiptOrders: false } });
    const postal = { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined };
    await w.create(october(1, postal));
    w.setClock('2026-11-10T04:00:00Z');

    expect(await settle(w)).toEqual({ ok: true });
    expect((await summaryOf(w)).situation.kind).toBe('nothing');
    await w.create(october(2, postal));
    expect((await summaryOf(w)).situation.kind).toBe('open');
  });

  test('an empty month to which an order came does not say any more that there is none', async () => {
    await using w = await world();
    w.setClock('2026-11-10T04:00:00Z');
    await serve(w);
    expect((await summaryOf(w)).situation).toEqual({ kind: 'empty' });

    await w.create(october(1));

    expect((await summaryOf(w)).situation).toEqual({ kind: 'open', generatesOn: '2026-11-10' });
    expect((await summaryOf(w)).figures.orders).toBe(1);
  });
});

describe('D19: a shop without orders', () => {
  test('gets one mail for all the months that were missed, which names them', async () => {
    await using w = await world('2026-07-20T10:00:00Z');
    w.setClock('2026-11-10T04:00:00Z');
    for (const month of await due(w)) await serve(w, month);

    expect(await queuedMails(w)).toEqual(['audit-month 2026-10 empty']);
    expect((await summaryOf(w)).situation).toEqual({ kind: 'empty', others: ['2026-07', '2026-08', '2026-09'] });
    expect(await pageOf(w)).toContain('Без поръчки и още неотбелязани са и: юли 2026 г., август 2026 г., септември 2026 г.');

    await settle(w, '2026-08');
    expect((await summaryOf(w)).situation).toEqual({ kind: 'empty', others: ['2026-07', '2026-09'] });
  });

  test('a missed empty month after which there were orders is mailed by itself', async () => {
    await using w = await world('2026-09-20T10:00:00Z');
    w.setClock(OCTOBER);
    await w.create(october(1));
    w.setClock('2026-11-10T04:00:00Z');
    for (const month of await due(w)) await serve(w, month);

    expect((await queuedMails(w)).toSorted()).toEqual(['audit-file', 'audit-month 2026-09 empty']);
  });

  test('a missed month with returns only is mailed by itself: the accountant needs them', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock('2026-11-20T10:00:00Z');
    await w.remove(id);
    w.setClock('2027-01-11T04:00:00Z');
    for (const month of await due(w)) await serve(w, month);

    expect((await queuedMails(w)).toSorted()).toEqual(['audit-file', 'audit-month 2026-11 empty', 'audit-month 2026-12 empty']);
  });
});
