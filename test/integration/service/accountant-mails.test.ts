import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/platform/mail/mail-message.ts';
import { markFiled } from '../../../src/service/audit/month/mark-month.ts';
import { failedMonthMails } from '../../../src/service/audit/month/month-outbox.ts';
import { importRates } from '../../../src/service/rates/stored-rates.ts';
import { companyIds } from '../../support/samples/company-ids.ts';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { october } from '../../support/worlds/october.ts';
import { OWNER, type PortalWorld } from '../../support/worlds/portal-world.ts';
import { sentMails } from '../../support/worlds/sent-mails.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';
import { until } from '../../support/worlds/settled.ts';

const worlds = useServiceWorlds();
const ACCOUNTANT = 'accountant@books.example';
const NOON = '2026-11-12T10:00:00Z';
const THIRTEENTH = '2026-11-13T06:00:00Z';
const LINKS = /http:\S+\/months\/[\w-]+/g;

type Books = PortalWorld & { shops: string[]; serve(...shops: string[]): Promise<void>; sent(): Promise<Message[]> };

/** Three companies of one accountant, each with an order of October. */
async function books(changes: Record<string, unknown> = {}): Promise<Books> {
  const w = await worlds.portal({ orders: 1 });
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  const shops = [w.shopId];
  for (const [n, companyUic] of companyIds(2).entries()) {
    const company = { companyUic, companyName: `Фирма ${n}`, name: `Магазин ${n}`, customerEmail: `shop${n}@cups.example` };
    const shopId = await w.newShop({ ...company, auditRecipientEmails: [ACCOUNTANT.toUpperCase()] });
    const { status } = await w.call('POST', '/order', { body: orderDto(shopId, october(1, n === 1 ? changes : {})) });
    expect(status).toBe(200);
    shops.push(shopId);
  }
  const { work } = w.server.service;
  return {
    ...w,
    shops,
    async serve(...some) {
      for (const shopId of some) await work.serveMonth({ shopId, month: '2026-10' });
      await work.mailAccountants();
    },
    sent: () => sentMails(w),
  };
}

const toAccountant = (mails: readonly Message[]) => mails.filter(({ to }) => to[0]?.toLowerCase() === ACCOUNTANT);
const plain = (text = '') => text.replaceAll('\u00a0', ' ');

describe('the month of an accountant of several shops', () => {
  test('is one mail, once all files are made; each shop gets its own as ever', async () => {
    await using w = await books();

    await w.serve(...w.shops.slice(0, 2));
    const early = await w.sent();
    await w.serve(...w.shops.slice(2));
    const late = await w.sent();
    await w.serve();

    expect(early.map(({ to }) => to[0]).toSorted()).toEqual([OWNER, 'shop0@cups.example'].toSorted());
    expect(late.map(({ to }) => to[0]).toSorted()).toEqual([ACCOUNTANT, 'shop1@cups.example']);
    expect(await w.sent()).toEqual([]);
    const [mail] = toAccountant(late);
    expect(plain(mail?.subject)).toBe('Одиторски файлове за октомври 2026 г.: 3 магазина (срок: 16.11.2026 г.)');
    expect([mail?.senderName, mail?.attachments]).toEqual([null, []]);
    expect(plain(mail?.text)).toContain('Готов за подаване: 3\n');
    expect(plain(mail?.text)).toContain('Фирма 1, Магазин 1, Поръчки: 1, Общо с ДДС: 59,45 €, ДДС: 8,08 €, Върнати суми: 0,00 €:');
    expect(plain(mail?.text)).toContain('Общо с ДДС: 178,35 €');
  });

  test('has a link to each shop’s month, which opens that company alone', async () => {
    await using w = await books();
    await w.serve(...w.shops);

    const [mail] = toAccountant(await w.sent());
    const links = [...new Set(mail?.text.match(LINKS) ?? [])];
    const pages = await Promise.all(links.map(async (link) => (await w.open(`${link}/all`)).text));

    expect(links).toHaveLength(3);
    for (const link of links) expect(mail?.text).toContain(`${link}/mails`);
    for (const link of links) expect(mail?.html).toContain(link);
    expect(pages.map((text) => ['Чаши ЕООД', 'Фирма 0', 'Фирма 1'].filter((name) => text.includes(name)))).toEqual([['Фирма 0'], ['Фирма 1'], ['Чаши ЕООД']]);
  });

  test('waits until noon of the 12th for a shop whose file is not made, and names it; its file then comes by itself', async () => {
    await using w = await books();
    const [one = '', two = '', hangs = ''] = w.shops;
    await w.serve(one, two);
    w.setClock('2026-11-12T09:59:00Z');
    await w.serve();
    expect(toAccountant(await w.sent())).toEqual([]);

    w.setClock(NOON);
    await w.serve();
    const [mail, ...more] = toAccountant(await w.sent());
    await w.serve(hangs);
    const after = toAccountant(await w.sent());

    expect(more).toEqual([]);
    expect(plain(mail?.text)).toMatch(/Още не е изготвен, закъснява: 1\n=+\nФирма 1, Магазин 1/);
    expect(mail?.subject).toContain('3 магазина, 1 иска внимание');
    expect(after.map(({ attachments }) => attachments[0]?.filename)).toEqual(['audit_RF0000123_2026-10_v1.xml']);
  });

  test('that is served late waits three hours for the others', async () => {
    await using w = await books();
    w.setClock('2026-11-13T07:00:00Z');
    await w.serve(...w.shops.slice(0, 2));
    expect(toAccountant(await w.sent())).toEqual([]);

    w.setClock('2026-11-13T10:00:00Z');
    await w.serve();

    expect(toAccountant(await w.sent())).toHaveLength(1);
  });

  test('names a shop whose file can’t be made, and what is made of it later is mailed by itself', async () => {
    await using w = await books({ currency: 'USD' });
    await w.serve(...w.shops);
    const [mail] = toAccountant(await w.sent());

    const sheet = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.25', publishedOn: '2026-10-20', source: 'BNB' } as const;
    await importRates(w.server.pool, { rates: [sheet], now: w.now() });
    await w.server.service.work.serveMonth({ shopId: w.shops[2] ?? '', month: '2026-10' });

    expect(plain(mail?.text)).toMatch(/Не е изготвен: има пречки: 1\n=+\nФирма 1, Магазин 1/);
    expect(toAccountant(await w.sent()).map(({ subject }) => subject)).toEqual([expect.stringContaining('Магазин 1: одиторски файл')]);
  });

  test('leaves out a shop that no longer names them, and goes to nobody if none does', async () => {
    await using w = await books();
    await w.serve(...w.shops);
    await w.call('PUT', `/shop/${w.shops[1]}`, { body: { auditRecipientEmails: [] } });
    const [mail] = toAccountant(await w.sent());
    expect(mail?.subject).toContain('2 магазина');
    expect(mail?.text).not.toContain('Фирма 0');

    await using left = await books();
    await left.serve(...left.shops);
    for (const shop of left.shops) await left.call('PUT', `/shop/${shop}`, { body: { auditRecipientEmails: [] } });
    expect((await left.sent()).map(({ to }) => to[0]).toSorted()).toEqual([OWNER, 'shop0@cups.example', 'shop1@cups.example'].toSorted());
    left.setClock('2029-12-01T10:00:00Z');
    await left.server.service.work.dropOld({ buyers: 365, outbox: 365 });
    expect((await left.server.pool.query('select from compliance.accountant_mails')).rowCount).toBe(0);
  });

  test('a file that is made while it goes into the outbox is in it, or mailed by itself', async () => {
    await using w = await books();
    const [one = '', two = '', three = ''] = w.shops;
    await w.serve(one, two);
    await using holder = await w.server.pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
    await holder.client.query('begin');
    await holder.client.query('update compliance.accountant_mails set queued_at = now()');

    const serving = w.server.service.work.serveMonth({ shopId: three, month: '2026-10' });
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await w.server.pool.query(waits)).rowCount === 1, { what: 'the file to wait' });
    await w.server.service.work.mailAccountants();
    await holder.client.query('commit');
    await serving;

    expect(toAccountant(await w.sent()).map(({ subject }) => subject)).toEqual([expect.stringContaining('Магазин 1: одиторски файл')]);
  });
});

test('a mail to an accountant that fails is named with each of their shops whose month is not filed', async () => {
  await using w = await books();
  await w.serve(...w.shops);
  const { pool, service } = w.server;
  await pool.query(`update compliance.mails set failed_at = now() where kind = 'accountant-month'`);
  await markFiled(pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });

  const named = ['Магазин 0', 'Магазин 1'].map((shop) => ({ month: '2026-10', shop, mails: 1, reached: true }));
  expect(await failedMonthMails(pool)).toEqual(named);
  expect((await service.attention()).monthMailsFailed).toBe(1);
});

describe('the reminder of an accountant of several shops', () => {
  test('is one, of what is open', async () => {
    await using w = await books();
    await w.serve(...w.shops);
    await w.sent();
    await markFiled(w.server.pool, { shopId: w.shopId, month: '2026-10', version: null, now: w.now() });
    const { work } = w.server.service;

    w.setClock(NOON);
    await work.remind();
    await work.mailAccountants();
    const reminders = await w.sent();
    w.setClock(THIRTEENTH);
    await work.remind();
    await work.mailAccountants();

    expect(reminders.map(({ to }) => to[0]).toSorted()).toEqual([ACCOUNTANT, 'shop0@cups.example', 'shop1@cups.example']);
    const [mail] = toAccountant(reminders);
    expect(plain(mail?.subject)).toBe('Напомняне: одиторски файлове за октомври 2026 г.: 2 магазина (срок: 16.11.2026 г.)');
    expect(mail?.text).not.toContain('Чаши ЕООД');
    expect(await w.sent()).toEqual([]);
  });

  test('waits for a shop whose file was made on the 12th, and is not sent if all are filed by then', async () => {
    await using w = await books();
    const [one = '', two = '', three = ''] = w.shops;
    await w.serve(one, two);
    w.setClock('2026-11-12T08:00:00Z');
    await w.serve(three);
    const { work } = w.server.service;
    expect(await work.remind()).toBe(2);
    await work.mailAccountants();
    expect(toAccountant(await w.sent()).map(({ subject }) => subject)).toEqual([expect.not.stringContaining('Напомняне')]);

    w.setClock(THIRTEENTH);
    expect(await work.remind()).toBe(1);
    await work.mailAccountants();
    for (const shopId of w.shops) await markFiled(w.server.pool, { shopId, month: '2026-10', version: null, now: w.now() });

    expect(await w.sent()).toEqual([]);
  });
});

test('an accountant of one shop gets its mail with the file', async () => {
  await using w = await worlds.portal({ orders: 1 });
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });
  await w.server.service.work.mailAccountants();

  const [mail, ...more] = toAccountant(await sentMails(w));
  expect(mail?.attachments[0]?.filename).toBe('audit_RF0000123_2026-10_v1.xml');
  expect(more).toEqual([]);
});

test('where no pages are published, each shop’s mail goes to all, since one of several bears no files', async () => {
  await using w = await worlds.audit('2026-10-20T10:00:00Z');
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  await w.newShop({ auditRecipientEmails: [ACCOUNTANT] });
  await w.create(october(1));
  w.setClock('2026-11-10T10:00:00Z');
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });

  expect((await w.server.pool.query('select from compliance.accountant_mails')).rowCount).toBe(0);
});
