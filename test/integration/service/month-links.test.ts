import { describe, expect, test } from 'vitest';
import { renewLink } from '../../../src/service/links/link-mail.ts';
import { readLink } from '../../../src/service/links/month-link.ts';
import { OWNER } from '../../support/worlds/portal-world.ts';
import { sentMails } from '../../support/worlds/sent-mails.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';
import { until } from '../../support/worlds/settled.ts';

const worlds = useServiceWorlds();

const OPERATOR = 'operator@service.example';
const world = async () => worlds.portal({ monthMail: { replyTo: OPERATOR } });
const ACCOUNTANT = 'accountant@books.example';
// 60 days after 16 November.
const LAST_DAY = '2027-01-15T20:00:00Z';
const DAY_AFTER = '2027-01-16T10:00:00Z';

const linkIn = (text: string): string => /http:\S+\/months\/[\w-]+/.exec(text)?.[0] ?? '';

describe('a link', () => {
  test('is the same in each mail of a recipient, shop and month, and another for each of them', async () => {
    await using w = await world();
    const other = await w.newShop({ customerEmail: OWNER });

    const urls = await Promise.all([w.link(), w.link(), w.link({ address: OWNER.toUpperCase() })]);

    expect(new Set(urls).size).toBe(1);
    const each = [urls[0], await w.link({ address: ACCOUNTANT }), await w.link({ month: '2026-09' }), await w.link({ shopId: other })];
    expect(new Set(each).size).toBe(4);
    expect(await w.link()).toBe(urls[0]);
  });

  test('has a token of which the database has a hash alone, and no address', async () => {
    await using w = await world();
    const token = (await w.link()).split('/').at(-1) ?? '';

    const { rows } = await w.server.pool.query('select l::text as row from compliance.month_links l');

    expect(token).toMatch(/^[\w-]{22,}$/);
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toContain(token);
    expect(rows[0].row).not.toContain('cups.example');
  });

  test('is good until 60 days after the term', async () => {
    await using w = await world();
    const url = await w.link();
    w.setClock(LAST_DAY);
    expect((await w.open(url)).status).toBe(200);

    w.setClock(DAY_AFTER);
    const page = await w.open(url);

    expect(page.status).toBe(410);
    expect(page.text).toContain('Тази връзка е изтекла');
    expect(page.text).not.toContain('чаши');
  });

  test('of a month that is mailed late is good for 30 days', async () => {
    await using w = await world();
    w.setClock('2027-06-01T10:00:00Z');
    const url = await w.link();

    w.setClock('2027-07-01T10:00:00Z');
    expect((await w.open(url)).status).toBe(200);
    w.setClock('2027-07-02T10:00:00Z');
    expect((await w.open(url)).status).toBe(410);
  });
});

test('each recipient’s mail of a month bears their own link, and names no command for what the page can do', async () => {
  await using w = await world();
  await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
  await w.server.service.work.serveMonth({ shopId: w.shopId, month: '2026-10' });

  const mails = [...(await sentMails(w)), ...(await sentMails(w))];

  expect(new Map(mails.map(({ to, text }) => [to[0], linkIn(text)]))).toEqual(
    new Map([
      [OWNER, await w.link()],
      [ACCOUNTANT, await w.link({ address: ACCOUNTANT })],
    ]),
  );
  for (const { text } of mails) expect(text).not.toContain('orderbridge service audit');
});

describe('a link that is none', () => {
  test('changed, foreign, shortened or made up: one and the same page', async () => {
    await using w = await world();
    const foreign = await w.newShop({ customerEmail: 'other@shop.example' });
    const url = await w.link();
    const changed = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`;

    const pages = await Promise.all(
      [
        changed,
        url.slice(0, -1),
        `${w.server.baseUrl}/months/x`,
        `${url}/${foreign}/2026-10`,
        `${url}/${w.shopId}/2026-13`,
        `${url}/`,
        `${url}/%zz`,
        `${url}/ALL`,
      ].map((one) => w.open(one)),
    );

    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 404));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(pages[0]?.text).toContain('Тази връзка не води никъде');
  });

  test('many of one address are slowed, and links that exist open for it', async () => {
    await using w = await world();
    const url = await w.link();
    const statuses = [];
    for (let i = 0; i < 40; i += 1) statuses.push((await w.open(`${w.server.baseUrl}/months/guess-${i}`)).status);

    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(404));
    expect(statuses.at(-1)).toBe(429);
    expect((await w.open(url)).status).toBe(200);
  });

  test('of a recipient whom the shop no longer names', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
    const url = await w.link({ address: ACCOUNTANT });
    expect((await w.open(url)).status).toBe(200);

    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [] } });

    expect([(await w.open(url)).status, (await w.open(`${url}/all`)).status]).toEqual([404, 404]);
    const form = await w.send(url, `${url}/${w.shopId}/2026-10/again`);
    expect(form.status).toBe(404);
  });
});

describe('an expired link', () => {
  test('is renewed by a mail to its recipient, and not sooner than after 15 minutes again', async () => {
    await using w = await world();
    const url = await w.link();
    w.setClock(DAY_AFTER);

    const page = await w.send(url, `${url}/renew`);
    await w.send(url, `${url}/renew`);

    expect(page.text).toContain('Заявката е приета');
    const [mail, ...more] = await sentMails(w);
    expect(more).toEqual([]);
    expect([mail?.to, mail?.replyTo]).toEqual([[OWNER], OPERATOR]);
    expect(mail?.html).toContain(linkIn(mail?.text ?? ''));
    expect((await w.open(linkIn(mail?.text ?? ''))).status).toBe(200);
    expect((await w.open(url)).status).toBe(410);

    w.setClock('2027-01-16T10:16:00Z');
    await w.send(url, `${url}/renew`);
    expect((await sentMails(w)).map(({ text }) => linkIn(text))).toEqual([linkIn(mail?.text ?? '')]);
  });

  test('that is renewed twice at once is mailed once', async () => {
    await using w = await world();
    await w.link();
    const { pool } = w.server;
    const { rows } = await pool.query('select id from compliance.month_links');
    const link = await readLink(pool, rows[0].id);
    if (link === null) throw new Error('there is no link');
    const clock = (ms: number) => () => new Date(Date.parse(DAY_AFTER) + ms);
    await using both = await pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
    await both.client.query('begin');
    await both.client.query('select from compliance.month_links for update');
    const renewals = [renewLink({ pool, now: clock(0) }, link), renewLink({ pool, now: clock(1) }, link)];
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await pool.query(waits)).rowCount === 2, { what: 'both to wait' });
    await both.client.query('rollback');

    await Promise.all(renewals);
    w.setClock('2027-01-17T10:00:00Z');

    expect(await sentMails(w)).toHaveLength(1);
  });

  test('of a recipient who was removed is answered the same, and mails nobody', async () => {
    await using w = await world();
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [ACCOUNTANT] } });
    const [removed, kept] = [await w.link({ address: ACCOUNTANT }), await w.link()];
    w.setClock(DAY_AFTER);
    await w.call('PUT', `/shop/${w.shopId}`, { body: { auditRecipientEmails: [] } });

    const pages = [await w.send(removed, `${removed}/renew`), await w.send(kept, `${kept}/renew`)];

    expect(pages[0]?.text).toBe(pages[1]?.text);
    expect((await sentMails(w)).flatMap(({ to }) => to)).toEqual([OWNER]);
  });

  test('opens no form, and is not renewed by looking at it', async () => {
    await using w = await world();
    const url = await w.link();
    w.setClock(DAY_AFTER);

    expect((await w.open(`${url}/renew`)).status).toBe(405);
    expect((await w.send(url, `${url}/${w.shopId}/2026-10/again`)).status).toBe(410);
    expect(await sentMails(w)).toEqual([]);
  });
});
