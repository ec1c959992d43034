import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/platform/mail/mail-message.ts';
import { mailboxMark } from '../../../src/platform/mail/mailboxes.ts';
import type { TokenBuckets } from '../../../src/platform/rate-limit.ts';
import { sayOfShop } from '../../../src/service/mail/recipients.ts';
import { enter, keptCookie } from '../../../src/service/portal/enter.ts';
import { companyIds } from '../../support/samples/company-ids.ts';
import { OWNER, type Page } from '../../support/worlds/portal-world.ts';
import { sentMails } from '../../support/worlds/sent-mails.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();
const [OTHER = ''] = companyIds(1);

/** A recipient of two companies, with the link to the month of one. */
async function reader() {
  const w = await worlds.portal({ orders: 1 });
  const other = await w.newShop({ companyUic: OTHER, companyName: 'Лампи ООД', name: 'Магазин за лампи', customerEmail: OWNER });
  const stranger = await w.newShop({ companyUic: companyIds(2)[1], companyName: 'Чужда ООД', customerEmail: 'other@shop.example' });
  const url = await w.link();
  return { ...w, url, other, stranger, all: `${url}/all` };
}
type Reader = Awaited<ReturnType<typeof reader>>;

/** A browser: what it keeps, and what it sends. */
async function browserOf(w: Reader) {
  const first = await w.open(w.all);
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const post = (fields: Record<string, string>) => w.send(w.all, `${w.url}/code`, { fields, headers: { 'sec-fetch-site': 'same-origin', cookie } });
  return {
    cookie: first.headers.get('set-cookie') ?? '',
    ask: () => post({}),
    type: (code: string) => post({ code }),
    open: (url: string): Promise<Page> => w.open(url, { cookie }),
  };
}

const codeIn = ([mail]: Message[]) =>
  /^(\d{4}) (\d{4})$/m
    .exec(mail?.text ?? '')
    ?.slice(1)
    .join('') ?? '';
const wrongCode = (code: string) => `${code.slice(0, 7)}${(Number(code[7]) + 1) % 10}`;

describe('a code that is mailed', () => {
  test('opens all companies of the recipient in the browser that asked for it, for 30 minutes', async () => {
    await using w = await reader();
    const browser = await browserOf(w);
    const month = `${w.url}/${w.other}/2026-10`;
    expect((await browser.open(w.all)).text).not.toContain('Лампи ООД');
    expect((await browser.open(month)).status).toBe(404);

    const asked = await browser.ask();
    expect([asked.status, asked.headers.get('location')]).toEqual([303, expect.stringMatching(/\/all\?lang=bg&sent=1$/)]);
    const mails = await sentMails(w);
    expect(mails.map(({ to }) => to)).toEqual([[OWNER]]);
    expect(mails[0]?.html).toContain(/^\d{4} \d{4}$/m.exec(mails[0]?.text ?? '')?.[0]);
    const typed = await browser.type(` ${codeIn(mails).slice(0, 4)} ${codeIn(mails).slice(4)}`);

    expect([typed.status, typed.headers.get('location')]).toEqual([303, expect.stringMatching(/\/all\?lang=bg$/)]);
    const list = await browser.open(w.all);
    expect(list.text).toContain('Лампи ООД');
    expect(list.text).not.toMatch(/Чужда ООД|Изпратете ми код/);
    expect((await browser.open(month)).status).toBe(200);
    expect((await browser.open(`${w.url}/${w.stranger}/2026-10`)).status).toBe(404);
    expect((await w.open(w.all)).text).not.toContain('Лампи ООД');

    w.setClock('2026-11-10T10:31:00Z');
    expect((await browser.open(w.all)).text).not.toContain('Лампи ООД');
    expect((await browser.open(month)).status).toBe(404);
  });

  test('opens no shop of which the recipient said that it is not theirs', async () => {
    await using w = await reader();
    const browser = await browserOf(w);
    await browser.ask();
    await browser.type(codeIn(await sentMails(w)));
    const month = `${w.url}/${w.other}/2026-10`;
    expect((await browser.open(month)).status).toBe(200);

    await sayOfShop(w.server.pool, { shopId: w.other, mailbox: mailboxMark(w.server.pool, OWNER), says: 'refused', by: 'cli:test' });

    expect((await browser.open(w.all)).text).not.toContain('Лампи ООД');
    expect((await browser.open(month)).status).toBe(404);
  });

  test('is kept nowhere, and who used it is in the audit log', async () => {
    await using w = await reader();
    const browser = await browserOf(w);
    await browser.ask();
    const code = codeIn(await sentMails(w));
    await browser.type(code);

    const { rows } = await w.server.pool.query('select c::text as row from compliance.mail_codes c');
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(code);
    expect(browser.cookie).toMatch(/^orderbridge-months=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3600$/);
    w.setClock('2026-11-11T10:01:00Z');
    await w.server.service.work.dropOld({ buyers: 365, outbox: 365 });
    expect((await w.server.pool.query('select from compliance.mail_codes')).rowCount).toBe(0);
    const { rows: acts } = await w.server.pool.query(`select who, subject from compliance.acts where act = 'link.opened'`);
    expect(acts).toEqual([{ who: `link:${acts[0]?.subject}`, subject: expect.any(String) }]);
  });

  test('over https counts in a browser that keeps what no other host and no plain connection can set', async () => {
    await using w = await reader();
    const links = { ...w.links, publicUrl: 'https://bridge.example' };
    const visitorWith = async (cookie: string) => {
      const req = { params: { token: w.url.split('/').at(-1) }, query: {}, get: () => cookie, acceptsLanguages: () => 'bg' };
      const visitor = await enter({ links, unknown: {} as TokenBuckets }, req as unknown as Request);
      if (!('kept' in visitor)) throw new Error('the link is unknown');
      return visitor;
    };
    const set = keptCookie(await visitorWith(''), links);
    const [pair = ''] = set.split(';');

    expect(set).toMatch(/^__Host-orderbridge-months=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3600; Secure$/);
    expect((await visitorWith(pair)).kept).toBe(pair.split('=')[1]);
    expect((await visitorWith(pair.replace('__Host-', ''))).kept).toBeNull();
  });

  test('is mailed with a way to say that the shop is not theirs', async () => {
    await using w = await reader();
    await (await browserOf(w)).ask();
    const [mail] = await sentMails(w);

    expect(mail?.text).toContain(`„Магазин за чаши“ не е ваш магазин? Кажете го тук и на този адрес няма да идват повече писма за него: ${w.url}/mails`);
  });

  test('pressed twice, opens as well; used by now, it opens nothing more', async () => {
    await using w = await reader();
    const browser = await browserOf(w);
    await browser.ask();
    const code = codeIn(await sentMails(w));

    expect((await Promise.all([browser.type(code), browser.type(code)])).map(({ status }) => status)).toEqual([303, 303]);
    w.setClock('2026-11-10T10:31:00Z');
    expect((await browser.type(code)).status).toBe(422);
  });

  test.each([
    ['mistyped', async (w: Reader, code: string) => (await browserAsked(w)).type(wrongCode(code))],
    ['of another browser', async (w: Reader, code: string) => (await browserOf(w)).type(code)],
  ])('%s, opens nothing', async (_, tryIt) => {
    await using w = await reader();
    await (await browserOf(w)).ask();
    const page = await tryIt(w, codeIn(await sentMails(w)));

    expect(page.status).toBe(422);
    expect(page.text).toContain('Този код не важи');
    expect(page.text).not.toContain('Лампи ООД');
  });

  const browserAsked = async (w: Reader) => {
    const browser = await browserOf(w);
    await browser.ask();
    return browser;
  };

  test('is tried five times at most, and for 15 minutes', async () => {
    await using w = await reader();
    const browser = await browserAsked(w);
    const code = codeIn(await sentMails(w));
    for (let n = 0; n < 5; n += 1) expect((await browser.type(wrongCode(code))).status).toBe(422);
    expect((await browser.type(code)).status).toBe(422);

    await browser.ask();
    const late = codeIn(await sentMails(w));
    w.setClock('2026-11-10T10:16:00Z');
    expect((await browser.type(late)).status).toBe(422);
  });

  test('is mailed five times an hour at most, and to nobody once the shop names another', async () => {
    await using w = await reader();
    const browser = await browserOf(w);
    for (let n = 0; n < 6; n += 1) await browser.ask();
    expect(await sentMails(w)).toHaveLength(5);

    w.setClock('2026-11-10T11:01:00Z');
    await browser.ask();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { customerEmail: 'new@cups.example' } });
    expect(await sentMails(w)).toEqual([]);
    expect((await browser.open(w.all)).status).toBe(404);
  });

  test('takes a form of the page, a browser that keeps what it was given, and a link that lasts', async () => {
    await using w = await reader();
    expect((await w.send(w.all, `${w.url}/code`, { form: null })).status).toBe(403);
    expect((await w.send(w.all, `${w.url}/code`)).headers.get('location')).toMatch(/\/all\?lang=bg$/);
    expect(await sentMails(w)).toEqual([]);

    w.setClock('2027-02-01T10:00:00Z');
    expect((await w.open(w.all)).status).toBe(410);
  });
});
