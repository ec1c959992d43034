import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readMonthState } from '../../../src/service/audit/month/month-state.ts';
import { newCompany } from '../../support/samples/new-company.ts';
import { october } from '../../support/worlds/october.ts';
import { OWNER, type PortalWorld } from '../../support/worlds/portal-world.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (orders = 2) => worlds.portal({ orders });
const KEY = (w: PortalWorld) => ({ shopId: w.shopId, month: '2026-10' });
const stateOf = (w: PortalWorld) => readMonthState(w.server.pool, KEY(w));
const FILED = { version: '1', incomingNumber: ' 2212И0012345 ', filedOn: '2026-11-10' };

describe('the page of a month', () => {
  test('shows status, sums and files, and is for its reader alone', async () => {
    await using w = await world();
    await w.make();
    const { url } = await w.linked();

    const { status, headers, text } = await w.open(url);

    expect(status).toBe(200);
    for (const words of ['Октомври 2026', 'Готов за подаване', 'Магазин за чаши', 'Вх. №', 'Отбележи като подаден']) expect(text).toContain(words);
    expect(text.indexOf('Готов за подаване')).toBeLessThan(text.indexOf('Какво да направите сега'));
    expect(text).not.toContain('orderbridge service audit');
    expect(text).not.toContain('<script');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });

  test('is in English where the address or the browser says so, and in Bulgarian for all others', async () => {
    await using w = await world();
    const { url } = await w.linked();
    const langOf = async (to: string, accept?: string) =>
      /<html lang="(\w\w)">/.exec((await w.open(to, accept === undefined ? {} : { 'accept-language': accept })).text)?.[1];

    expect(await langOf(url)).toBe('bg');
    expect(await langOf(url, 'de-DE')).toBe('bg');
    expect(await langOf(url, 'en-US,en;q=0.9')).toBe('en');
    expect(await langOf(url, 'bg,en;q=0.9')).toBe('bg');
    expect(await langOf(`${url}?lang=en`, 'bg')).toBe('en');
    expect(await langOf(`${url}?lang=bg`, 'en')).toBe('bg');
    expect(await langOf(`${url}?lang=xx`, 'en')).toBe('en');
  });

  test('in English, too, says of a version that lacks changes not to file it, and of a late file that it is late', async () => {
    await using w = await world();
    await w.make();
    await w.create(october(3));
    const other = await w.newShop();
    await w.create({ ...october(1), shopId: other });
    const statusOf = async (url: string) => /<p class="words">([^<]*)/.exec((await w.open(`${url}?lang=en`)).text)?.[1] ?? '';

    const lacking = await statusOf(await w.link());
    expect([lacking.includes('Do not file it'), lacking.includes('File it with')]).toEqual([true, false]);
    w.setClock('2026-11-14T10:00:00Z');
    expect(await statusOf(await w.link({ shopId: other }))).toContain('should have been made on');
  });

  test('GET changes nothing, whatever is opened', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();
    const before = await w.everything();

    const paths = [url, month, `${url}/all`, `${url}/renew`, ...['filed', 'rejected', 'again', 'nothing'].map((act) => `${month}/${act}`)];
    for (const path of paths) await w.open(path);
    for (const kind of ['xml', 'csv', 'html']) expect((await w.open(`${month}/files/1.${kind}`)).status).toBe(200);
    for (const path of paths) await fetch(path, { method: 'HEAD' });

    expect(await w.everything()).toBe(before);
  });

  test('its files are those that were made, each version under its name', async () => {
    await using w = await world();
    await w.make();
    await w.create(october(3));
    await w.make();
    const { month } = await w.linked();

    const [first, second] = [await w.open(`${month}/files/1.xml`), await w.open(`${month}/files/2.xml`)];
    const { rows } = await w.server.pool.query('select version, sha256 from compliance.audit_files order by version');

    expect(first.headers.get('content-disposition')).toBe('attachment; filename="audit_RF0000123_2026-10_v1.xml"');
    expect(first.text).not.toContain('#3');
    expect(second.text).toContain('#3');
    const bytes = Buffer.from(await (await fetch(`${month}/files/2.xml`)).arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(rows[1].sha256);
    expect((await w.open(`${month}/files/2.csv`)).text).toContain('#3');
    expect((await w.open(`${month}/files/1.html`)).text).toContain('Одиторски файл');
    for (const file of ['3.xml', '1.pdf', '0.xml', '1.xmlx']) expect((await w.open(`${month}/files/${file}`)).status).toBe(404);
  });
});

describe('what a person says', () => {
  test('“filed” with number and day is kept with who said it, and shown on the next page', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();

    const answer = await w.send(url, `${month}/filed`, { fields: FILED });
    const next = await w.open(`${w.server.baseUrl}${answer.headers.get('location')}`);

    expect(answer.status).toBe(303);
    expect(next.text).toContain('Месецът е отбелязан като подаден.');
    expect(next.text).toContain('2212И0012345');
    expect(await stateOf(w)).toMatchObject({ state: 'filed', filedVersion: 1, incomingNumber: '2212И0012345', filedOn: '2026-11-10' });
    const { rows } = await w.server.pool.query(`select who, subject, after from compliance.acts where act = 'month.filed'`);
    const { rows: links } = await w.server.pool.query('select id from compliance.month_links');
    expect(rows).toEqual([{ who: `link:${links[0].id}`, subject: `${w.shopId} 2026-10`, after: expect.objectContaining({ incomingNumber: '2212И0012345' }) }]);
  });

  test('“rejected” with the agency’s words opens the month, and a new version can be made', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();
    await w.send(url, `${month}/filed`, { fields: FILED });

    const rejected = await w.send(url, `${month}/rejected`, { fields: { words: 'Грешка 12:\r\nord_n <b>1</b>' } });
    const again = await w.send(url, `${month}/again`);

    expect([rejected.status, again.status]).toEqual([303, 303]);
    expect(await stateOf(w)).toMatchObject({ rejectedWords: 'Грешка 12:\nord_n <b>1</b>' });
    const { rows } = await w.server.pool.query('select max(version)::int as version from compliance.audit_files');
    expect(rows[0].version).toBe(2);
  });

  test('an empty month has nothing to file once somebody says with whom it was agreed', async () => {
    await using w = await world(0);
    const { url, month } = await w.linked();
    const again = await w.send(url, `${month}/again`);
    expect(again.status).toBe(409);
    expect(again.text).toContain('няма поръчки');

    expect((await w.send(url, `${month}/nothing`, { fields: { note: ' ' } })).text).toContain('Напишете какво е уговорено и с кого');
    const said = await w.send(url, `${month}/nothing`, { fields: { note: 'Без продажби, г-жа Иванова' } });

    expect(said.status).toBe(303);
    expect(await stateOf(w)).toMatchObject({ state: 'nothing', nothing: { note: 'Без продажби, г-жа Иванова' } });
  });

  test('a version that lacks changes is refused with what to do, what was typed stays, and a box is offered', async () => {
    await using w = await world();
    await w.make();
    await w.create(october(3));
    const { url, month } = await w.linked();

    const refused = await w.send(url, `${month}/filed`, { fields: FILED });

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Изгответе нова версия и подайте нея');
    expect(refused.text).toMatch(/value="\s*2212И0012345/);
    expect(refused.text).toContain('name="asIs"');
    expect((await stateOf(w)).state).toBe('generated');
    expect((await w.send(url, `${month}/filed`, { fields: { ...FILED, asIs: 'yes' } })).status).toBe(303);
  });

  test('paid orders that are not recorded are named, and the month is filed without them only if that is said', async () => {
    await using w = await world();
    await w.make();
    const one = { month: '2026-10', orders: 3, total: '36.00', currency: 'EUR', oldest: '2026-10-03T08:00:00.000Z', codes: { queued: 3 } };
    await w.server.pool.query('insert into compliance.outstanding (shop_id, at, months) values ($1, $2, $3)', [w.shopId, w.now(), JSON.stringify([one])]);
    const { url, month } = await w.linked();

    const refused = await w.send(url, `${month}/filed`, { fields: FILED });

    expect([refused.status, /3\s+платени поръчки/.test(refused.text)]).toEqual([409, true]);
    expect((await w.send(url, `${month}/filed`, { fields: { ...FILED, withoutOutstanding: 'yes' } })).status).toBe(303);
  });

  test.each([
    ['rejected', {}, 'Поставете какво съобщи НАП'],
    ['rejected', { words: 'x' }, 'не е отбелязан като подаден'],
    ['filed', { ...FILED, version: '9' }, 'Няма такава версия'],
    ['filed', { ...FILED, filedOn: '10.11.2026' }, 'Изберете ден'],
    ['filed', { ...FILED, incomingNumber: 'x'.repeat(51) }, 'Въведете номера, даден от НАП'],
    ['nothing', { note: 'без продажби' }, 'има вече файл|В месеца има поръчки|вече има файл'],
  ])('%s with %o is refused in words', async (act, fields, words) => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();

    const { status, text } = await w.send(url, `${month}/${act}`, { fields });

    expect(status).toBe(409);
    expect(text).toMatch(new RegExp(words));
    expect(text).toContain('role="alert"');
    expect((await stateOf(w)).state).toBe('generated');
  });

  test('a file can’t be made over and over', async () => {
    await using w = await world();
    const { url, month } = await w.linked();
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await w.send(url, `${month}/again`)).status);

    expect(statuses).toEqual([303, 303, 303, 303, 303, 409]);
  });
});

test('all months of the shops of one address and company, and no others', async () => {
  await using w = await world();
  await w.make();
  const second = await w.newShop({
    name: 'Втори магазин',
    customerEmail: 'second@shop.example',
    auditRecipientEmails: [OWNER.toUpperCase()],
    nraNumber: 'RF0000124',
  });
  await w.newShop({ name: 'Чужд магазин', customerEmail: 'foreign@shop.example' });
  const company = await w.newShop({ name: 'Друга фирма', customerEmail: OWNER, companyUic: newCompany() });
  const { url } = await w.linked();

  const { text } = await w.open(`${url}/all`);

  expect(text).toContain('Втори магазин');
  expect(text).not.toContain('Чужд');
  const path = new URL(url).pathname;
  expect(text).toContain(`href="${path}/${w.shopId}/2026-10?lang=bg"`);
  expect((await w.open(`${url}/${second}/2026-10`)).status).toBe(200);
  expect(text).not.toContain('Друга');
  expect((await w.open(`${url}/${company}/2026-10`)).status).toBe(404);
});

test('a link is in no line of the log', async () => {
  const lines: unknown[] = [];
  const log = { info: (fields: unknown) => lines.push(fields), error: (fields: unknown) => lines.push(fields) };
  await using w = await worlds.portal({ log });
  const { url } = await w.linked();
  await w.open(url);
  await w.open(`${url}/%E0%A4`);

  await expect.poll(() => lines.filter((line) => JSON.stringify(line).includes('"page"')).length).toBe(2);
  expect(JSON.stringify(lines)).not.toContain(url.split('/').at(-1) ?? '');
});
