import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { listMonths } from '../../../src/service/audit/month/list-months.ts';
import { markFiled, markRejected } from '../../../src/service/audit/month/mark-month.ts';
import { monthsAtRisk } from '../../../src/service/audit/month/months-at-risk.ts';
import { auditMail } from '../../../src/service/audit/summary/audit-mail.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { due, ofMonth, pageOf, queuedMails, serve, settle, summaryOf } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (clock = OCTOBER): Promise<AuditWorld> => worlds.audit(clock);
const TWELFTH = '2026-11-12T04:00:00Z';

describe('D1: a shop’s day after the 12th', () => {
  test('is warned about when less than three days are left, and taken', async () => {
    await using w = await world();
    const put = async (auditGenerationDay: number) => (await w.call('PUT', `/shop/${w.shopId}`, { body: { auditGenerationDay } })).body;

    expect(await put(12)).toMatchObject({ auditGenerationDay: 12, warnings: [] });
    for (const day of [13, 20, 28]) {
      const message = expect.stringContaining('the file is made on the 12th all the same');
      expect(await put(day)).toMatchObject({ auditGenerationDay: day, warnings: [{ path: 'auditGenerationDay', message }] });
    }
  });

  test('the file is made on the 12th, and again on the shop’s day if something changed', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditGenerationDay: 14 } });
    await w.create(october(1));

    w.setClock('2026-11-11T23:00:00Z');
    expect(await due(w)).toEqual([]);
    w.setClock(TWELFTH);
    expect(await due(w)).toEqual(['2026-10']);
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'generated' });

    w.setClock('2026-11-13T10:00:00Z');
    await w.create(october(2));
    expect(await due(w)).toEqual([]);
    w.setClock('2026-11-14T10:00:00Z');
    expect(await due(w)).toEqual(['2026-10']);
    await serve(w);
    expect(await due(w)).toEqual([]);
    expect((await summaryOf(w)).situation).toMatchObject({ kind: 'generated', file: { version: 2 } });
  });

  test('a file that the agency rejected before the shop’s day waits for a person: the same once more is not ready to be filed', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock('2026-11-02T10:00:00Z');
    await generateMonth(auditDeps(w), { ...ofMonth(w), now: true });
    await markFiled(w.server.pool, { ...ofMonth(w), version: null, now: w.now() });
    await markRejected(w.server.pool, { ...ofMonth(w), words: 'Грешка 12' });

    for (const day of ['2026-11-10', '2026-11-12', '2026-11-16']) {
      w.setClock(`${day}T10:00:00Z`);
      expect(await due(w)).toEqual([]);
    }
    expect((await summaryOf(w)).situation).toMatchObject({ kind: 'rejected', words: 'Грешка 12' });

    w.setClock('2026-11-12T12:00:00Z');
    await w.create(october(2));
    expect(await due(w)).toEqual(['2026-10']);
  });

  test('a file without changes is not made again', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditGenerationDay: 20 } });
    await w.create(october(1));
    w.setClock(TWELFTH);
    await serve(w);

    w.setClock('2026-11-20T10:00:00Z');
    expect(await due(w)).toEqual([]);
  });

  test('a remake that was missed on its day is made up for', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock('2026-11-10T04:00:00Z');
    await serve(w);
    await w.create(october(2));

    w.setClock('2026-11-13T10:00:00Z');
    expect(await due(w)).toEqual(['2026-10']);
  });

  test('the reminder waits until the file was made, and never says that there is nothing to do', async () => {
    await using w = await world();
    const { work } = w.server.service;
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditGenerationDay: 20 } });
    await w.create(october(1));

    w.setClock(TWELFTH);
    expect(await work.remind()).toBe(0);
    await serve(w);
    expect(await work.remind()).toBe(0);
    w.setClock('2026-11-13T04:00:00Z');
    expect(await work.remind()).toBe(1);
    expect(await queuedMails(w)).toEqual(['audit-file', 'audit-reminder 2026-10']);
  });

  test('a month that nobody made is reminded of the day after, with what to do', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock('2026-11-13T04:00:00Z');

    expect(await w.server.service.work.remind()).toBe(1);
    const { subject, text } = auditMail('reminder', await summaryOf(w));
    expect(subject).toContain('още не е изготвен, закъснява (срок: 16.11.2026');
    expect(text.replaceAll('\u00a0', ' ')).toContain('трябваше да бъде изготвен на 10.11.2026 г., но още не е.');
    expect(text).toContain('Изгответе файла сега. Достатъчно е да отговорите на писмото');
    expect(text).not.toContain('Засега не е нужно да правите нищо');
  });
});

describe('D3: a month whose orders are all gone', () => {
  /** The only order of October of a shop that is here since November, deleted after the term. */
  async function onlySaleDeleted(): Promise<AuditWorld> {
    const w = await world('2026-11-03T10:00:00Z');
    const { id } = await w.create(october(1));
    w.setClock('2026-11-18T10:00:00Z');
    await w.remove(id);
    return w;
  }

  test('is made after its term, and mailed', async () => {
    await using w = await onlySaleDeleted();

    w.setClock('2026-11-20T10:00:00Z');
    expect(await due(w)).toEqual(['2026-10']);
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'generated' });
    expect(await queuedMails(w)).toEqual(['audit-file']);
    expect((await summaryOf(w)).figures).toMatchObject({ orders: 1 });
  });

  test('is at risk until it is filed', async () => {
    await using w = await onlySaleDeleted();
    const risks = async () => (await monthsAtRisk(w.server.pool, w.now())).map(({ month, risk }) => [month, risk]);

    expect(await risks()).toEqual([['2026-10', 'late']]);
    await generateMonth(auditDeps(w), { ...ofMonth(w), now: true });
    expect(await risks()).toEqual([['2026-10', 'late']]);
    await markFiled(w.server.pool, { ...ofMonth(w), version: 1, now: w.now() });
    expect(await risks()).toEqual([]);
  });

  test('a month of half a year ago that nobody made is late, as the board of months has it', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock('2027-04-18T10:00:00Z');

    expect((await monthsAtRisk(w.server.pool, w.now())).map(({ month, risk }) => [month, risk])).toEqual([['2026-10', 'late']]);
  });

  test('one with returns only has no file, and says why', async () => {
    await using w = await onlySaleDeleted();
    w.setClock('2026-12-10T10:00:00Z');
    await serve(w, '2026-11');

    expect((await summaryOf(w, '2026-11')).situation.kind).toBe('returns-only');
    expect(await pageOf(w, '2026-11')).toContain('има 1 връщане, но няма поръчки');
  });
});

describe('D5: a version that lacks changes', () => {
  test('says so first, and is not to be filed', async () => {
    await using w = await world();
    await w.create(october(1));
    const { id } = await w.create(october(2));
    w.setClock('2026-11-10T10:00:00Z');
    await serve(w);
    await w.create(october(3));
    await w.remove(id);

    const text = await pageOf(w);
    expect(text).toContain('ДА СЕ ИЗГОТВИ ОТНОВО\nВъв версия 1 на файла за октомври 2026 г. липсват 2 промени след изготвянето ѝ. Не я подавайте');
    expect(text).not.toMatch(/готов за подаване|Подайте го в НАП|\(КЕП\)/i);
    expect(text).toMatch(/1\. Изгответе файла отново/);
    expect(auditMail('reminder', await summaryOf(w)).subject).toContain('да се изготви отново');
    expect(await listMonths(auditDeps(w), w.shopId)).toMatchObject([{ month: '2026-10', situation: 'generated', lacks: 2 }]);

    w.setClock('2026-11-10T10:30:00Z');
    await generateMonth(auditDeps(w), { ...ofMonth(w), now: true });
    expect(await pageOf(w)).toContain('ГОТОВ ЗА ПОДАВАНЕ');
  });

  test('a version whose orders are all deleted is not to be filed either', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    w.setClock('2026-11-10T10:00:00Z');
    await serve(w);
    await w.remove(id);
    await generateMonth(auditDeps(w), { ...ofMonth(w), now: true });

    expect((await summaryOf(w)).situation).toEqual({ kind: 'empty', outdated: 1 });
    expect(await pageOf(w)).toContain('Не подавайте изготвената по-рано версия 1');
    w.setClock('2026-11-13T04:00:00Z');
    expect(await w.server.service.work.remind()).toBe(0);
    expect((await w.server.service.attention()).months).toEqual({ blocked: 0, unfiled: 0, late: 0 });
    expect(await settle(w)).toEqual({ ok: true });
    expect((await summaryOf(w)).situation.kind).toBe('nothing');
  });
});
