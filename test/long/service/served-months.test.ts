import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openMailTransport } from '../../../src/platform/mail/mail-transport.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { importRates } from '../../../src/service/rates/stored-rates.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { mailJobs } from '../../support/worlds/mail-jobs.ts';
import { OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

// The shop's day is the 10th; six in the morning in Bulgaria is four in UTC.
const BEFORE_SIX = '2026-11-10T03:59:00Z';
const SIX = '2026-11-10T04:00:00Z';
const REMINDER = '2026-11-12T04:00:00Z';

const world = async (clock = OCTOBER): Promise<AuditWorld> => worlds.audit(clock);
/** Sends the mails that are due into files; returns their texts, the newest last. */
async function sendAll({ server, now }: AuditWorld): Promise<string[]> {
  await using folder = await scratchDir();
  const transport = openMailTransport({ smtpUrl: null, from: 'audit@service.example', outboxDir: folder.path, now });
  const mailer = mailJobs({ pool: server.pool, outbox: shopMails, transport, builders: server.service.mails, now });
  for (let due = await mailer.due(100); due.length > 0; due = await mailer.due(100)) await Promise.all(due.map(mailer.send));
  const names = (await readdir(folder.path)).filter((name) => name.endsWith('.eml')).toSorted();
  return await Promise.all(names.map((name) => readFile(`${folder.path}/${name}`, 'utf8')));
}

const subjectOf = (eml: string): string => {
  const encoded = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(eml)?.[1] ?? '';
  return encoded
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, text: string) => decodeURIComponent(text.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1')));
};

describe('on the shop’s day', () => {
  test('a month is due from six in the morning in Bulgaria, and once', async () => {
    await using w = await world();
    const { work } = w.server.service;
    await w.create(october(1));

    w.setClock(BEFORE_SIX);
    expect(await work.dueMonths()).toEqual([]);
    w.setClock(SIX);
    expect(await work.dueMonths()).toEqual([{ shopId: w.shopId, month: '2026-10' }]);

    expect(await work.serveMonth({ shopId: w.shopId, month: '2026-10' })).toEqual({ kind: 'done', generation: 'generated' });
    expect(await work.dueMonths()).toEqual([]);
  });

  test('the file goes to the shop and all its recipients, with CSV and summary beside it', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: ['accountant@books.example', 'shop@cups.example'] } });
    await w.create(october(1));
    w.setClock(SIX);
    await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });

    const mails = await sendAll(w);
    const [mail = ''] = mails;

    expect(mails.map((one) => /^To: (.+?)\r?$/m.exec(one)?.[1]).toSorted()).toEqual(['accountant@books.example', 'shop@cups.example']);
    expect(subjectOf(mail)).toContain('одиторски файл за октомври 2026');
    for (const name of ['audit_RF0000123_2026-10_v1.xml', 'audit_RF0000123_2026-10_v1.csv', 'spravka_2026-10.html']) expect(mail).toContain(name);
    const xml = Buffer.from(/filename="?audit_RF0000123_2026-10_v1\.xml"?[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(mail)?.[1] ?? '', 'base64').toString(
      'latin1',
    );
    expect(xml).toContain('<ord_n>#1</ord_n>');
    expect(xml.trimEnd().endsWith('</audit>')).toBe(true);
    expect(mail).not.toMatch(/ivan@buyer/);
  });

  test('months that were missed while the service was down are caught up, each of them', async () => {
    await using w = await world('2026-07-20T10:00:00Z');
    for (const month of ['2026-07', '2026-08', '2026-09']) {
      w.setClock(`${month}-20T10:00:00Z`);
      await w.create({ internalId: month, internalNumber: month, internalCreatedAt: `${month}-20T10:15:00+03:00` });
    }
    w.setClock(SIX);

    expect((await w.server.service.work.dueMonths()).map(({ month }) => month)).toEqual(['2026-07', '2026-08', '2026-09', '2026-10']);
  });

  test('a month without orders is reported, not made, and due again when an order comes', async () => {
    await using w = await world();
    w.setClock(SIX);
    const { work } = w.server.service;

    expect(await work.serveMonth({ shopId: w.shopId, month: '2026-10' })).toEqual({ kind: 'done', generation: 'empty' });
    const [mail = ''] = await sendAll(w);
    expect(subjectOf(mail)).toContain('одиторски файл за октомври 2026 г.: няма поръчки');

    w.setClock('2026-11-10T06:00:00Z');
    expect(await work.dueMonths()).toEqual([]);
    await w.create(october(1));
    expect(await work.dueMonths()).toEqual([{ shopId: w.shopId, month: '2026-10' }]);
  });

  test('a month with missing rates is reported once, retried every hour, and mailed when it is made', async () => {
    await using w = await world();
    const key = { shopId: w.shopId, month: '2026-10' };
    const { work } = w.server.service;
    await w.create(october(1, { currency: 'USD' }));
    w.setClock(SIX);

    expect(await work.serveMonth(key)).toEqual({ kind: 'done', generation: 'blocked' });
    expect((await sendAll(w)).map(subjectOf)).toEqual([expect.stringContaining('не е изготвен')]);
    expect(await work.dueMonths()).toEqual([]);

    w.setClock('2026-11-10T05:00:00Z');
    expect(await work.dueMonths()).toEqual([key]);
    expect(await work.serveMonth(key)).toEqual({ kind: 'done', generation: 'blocked' });
    expect(await sendAll(w)).toEqual([]);

    w.setClock('2026-11-10T06:00:00Z');
    await importRates(w.server.pool, {
      rates: [{ currency: 'USD', base: 'EUR', multiply: '1', divide: '1.25', publishedOn: '2026-10-20', source: 'BNB' }],
      now: w.now(),
    });
    expect(await work.serveMonth(key)).toEqual({ kind: 'done', generation: 'generated' });
    expect((await sendAll(w)).map(subjectOf)).toEqual([expect.stringContaining(': готов за подаване')]);
  });

  test('a file waits for a replacement that may be on its way', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    w.setClock(SIX);
    await w.remove(id);

    const served = await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });

    expect(served).toEqual({ kind: 'again', afterMs: 15 * 60_000, why: 'waiting' });
    expect(await w.server.service.work.dueMonths()).toHaveLength(1);
    expect(await sendAll(w)).toEqual([]);
  });
});

describe('on the 12th', () => {
  test('a file that is not marked as filed gets one reminder, with the file', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(SIX);
    await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
    await sendAll(w);

    w.setClock('2026-11-11T12:00:00Z');
    expect(await w.server.service.work.remind()).toBe(0);
    w.setClock(REMINDER);
    expect(await w.server.service.work.remind()).toBe(1);
    expect(await w.server.service.work.remind()).toBe(0);

    const [mail = ''] = await sendAll(w);
    expect(subjectOf(mail)).toContain('Напомняне');
    expect(mail).toContain('audit_RF0000123_2026-10_v1.xml');
  });

  test('a filed month gets no reminder, and neither does a month without orders', async () => {
    await using w = await world();
    const empty = await w.newShop({ name: 'Празен', companyUic: '831641791' });
    await w.create(october(1));
    w.setClock(SIX);
    const { work } = w.server.service;
    for (const shopId of [w.shopId, empty]) await work.serveMonth({ shopId, month: '2026-10' });
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });

    w.setClock(REMINDER);
    expect(await work.remind()).toBe(0);
  });

  test('a reminder that was overtaken by the filing is not sent', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(SIX);
    await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
    await sendAll(w);
    w.setClock(REMINDER);
    await w.server.service.work.remind();
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });

    expect(await sendAll(w)).toEqual([]);
  });
});

test('stored rows of deleted sales are purged when their month is filed and no rejection is to be expected', async () => {
  await using w = await world();
  const { id } = await w.create(october(1));
  await w.create(october(2));
  w.setClock(SIX);
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });
  await w.remove(id);

  expect(await w.server.service.work.purge()).toBe(0);
  w.setClock('2026-12-20T10:00:00Z');
  expect(await w.server.service.work.purge()).toBe(1);
  expect((await w.list('2026-11')).returns).toHaveLength(1);
});
