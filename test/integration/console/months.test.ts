import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monthCheck } from '../../../src/operations/health/checks/service.ts';
import { monthOutlines } from '../../../src/operations/months/month-board.ts';
import { type MonthsWorld, startMonthsWorld } from '../../support/console/months-world.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const FILED = { version: '1', filedOn: '2026-11-10', incomingNumber: '2212И0012345' };
const MARKUP = '<script>alert(1)</script> & "Ко"';

let it: World;
let w: MonthsWorld;
beforeAll(async () => {
  it = await world({ role: 'console' });
  w = await startMonthsWorld(it);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await it[Symbol.asyncDispose]();
});

describe('who looks', () => {
  test('a viewer sees the month, without forms, files and addresses', async () => {
    const month = await w.october();
    await month.make();
    const viewer = await w.enter({ role: 'viewer' });

    const { status, text } = await viewer.get(month.path);

    expect(status).toBe(200);
    expect(text).toContain('Your role sees months');
    expect(text).not.toContain(`action="${month.path}`);
    expect(text).not.toContain('/files/');
    expect(text).not.toContain('shop@cups.example');
    expect((await viewer.get(`${month.path}/files/1.xml`)).status).toBe(403);
    expect((await viewer.get(`${month.path}/differences?first=1&second=1`)).status).toBe(403);
  });

  test('the page of a store names its shop as our own service has it', async () => {
    const { shopId } = await w.october({ name: 'Грънци' });
    const { connection } = await it.bridge.connect({ name: 'Corner', shopId });

    const { text } = await (await w.enter()).get(`/console/stores/${connection.id}`);

    await it.bridge.app.core.connections.close(connection.id);
    expect(text).toContain(`<dd>Грънци <code class="copy">${shopId}</code></dd>`);
  });

  test('an accountant sees their shops alone, and does all that is to be done', async () => {
    const [mine, other] = [await w.october({ name: 'Моят' }), await w.october({ name: 'Чуждият' })];
    await mine.make();
    const accountant = await w.enter({ role: 'accountant', shops: [mine.shopId], name: 'Ани' });

    const board = await accountant.get('/console/months');
    expect([board.text.includes('Моят'), board.text.includes('Чуждият')]).toEqual([true, false]);
    expect((await accountant.get(`/console/months?shop=${other.shopId}`)).text).not.toContain('Чуждият');
    expect((await accountant.get(`/console/months?older=1&shop=${other.shopId}`)).text).not.toContain('Чуждият');
    expect((await accountant.get(other.path)).status).toBe(404);
    expect((await accountant.get(`${other.path}/files/1.xml`)).status).toBe(404);
    for (const [act, fields] of [
      ['checked', {}],
      ['filed', FILED],
      ['accepted', {}],
    ] as const)
      expect(await mine.send(accountant, act, fields)).toMatchObject({ status: 303, location: `${mine.path}?done=month-${act}` });
    const by = `person:${accountant.person.id}`;
    expect((await mine.acts()).slice(1)).toMatchObject([
      { who: by, act: 'month.checked', after: { version: 1 } },
      { who: by, act: 'month.filed', after: { version: 1, incomingNumber: '2212И0012345', filedOn: '2026-11-10' } },
      { who: by, act: 'month.accepted', after: { version: 1 } },
    ]);
    expect((await accountant.get(mine.path)).text).toContain('<strong>Ани</strong>: said that the agency accepted it (version 1)');
  });

  test('an accountant without a shop is told so', async () => {
    const accountant = await w.enter({ role: 'accountant', shops: [] });

    expect((await accountant.get('/console/months')).text).toContain('No shop was given to you yet');
  });
});

describe('the months of all shops of an accountant', () => {
  test('are listed by term with sums, and their files are one archive with a list of what is missing', async () => {
    const [ready, late, other] = [await w.october({ name: 'Готов' }), await w.october({ name: 'Неготов' }), await w.october({ name: 'Чужд' })];
    await ready.make();
    await other.make();
    const accountant = await w.enter({ role: 'accountant', shops: [ready.shopId, late.shopId] });

    const all = (await accountant.get('/console/months/due')).text;
    const { text } = await accountant.get('/console/months/due?month=2026-10');
    expect([text.includes('Готов'), text.includes('Чужд')]).toEqual([true, false]);
    expect(all.indexOf(late.path)).toBeLessThan(all.indexOf(`${late.path.slice(0, -7)}2026-11`));
    expect(text).toContain('Download the files of 1 shop (.zip)');
    expect(text).toContain('Not ready: 1 shop');
    expect((await accountant.get('/console/months/due?state=late')).text).toContain('No month matches.');
    expect((await accountant.get('/console/months/files')).status).toBe(404);

    const archive = await accountant.get('/console/months/files?month=2026-10');
    expect(archive.status).toBe(200);
    for (const name of ['not-ready.txt', 'Готов/audit_', '_bookkeeping.csv']) expect(archive.text).toContain(name);
    expect(archive.text).not.toContain('Чужд');
    // As the list has them.
    expect((await accountant.get('/console/months/due?month=2026-10&state=check')).text).toContain(
      'files?company=&amp;shop=&amp;month=2026-10&amp;state=check',
    );
    const [checked, filed] = await Promise.all(['check', 'filed'].map((state) => accountant.get(`/console/months/files?month=2026-10&state=${state}`)));
    expect([checked?.text.includes('Готов/audit_'), filed?.text.includes('Готов/audit_')]).toEqual([true, false]);
    expect((await ready.acts()).at(-1)).toMatchObject({ who: `person:${accountant.person.id}`, act: 'month.downloaded', after: { version: 1 } });
    expect(await late.acts()).toEqual([]);
    expect((await (await w.enter({ role: 'viewer' })).get('/console/months/files?month=2026-10')).status).toBe(403);
  });
});

test('a month goes from its file to the agency’s answer, and back', async () => {
  const month = await w.october();
  const owner = await w.enter();
  expect(await month.send(owner, 'make')).toMatchObject({ status: 303, location: `${month.path}?done=month-make` });
  expect((await owner.get(`/console/months?shop=${month.shopId}`)).text).toContain('To check');
  const listed = async (state: string) => (await owner.get(`/console/months/due?shop=${month.shopId}&state=${state}`)).text.includes(`href="${month.path}"`);
  expect([await listed('check'), await listed('file')]).toEqual([true, false]);
  await month.send(owner, 'checked');
  expect((await owner.get(month.path)).text).toContain('Ready to be filed');
  expect([await listed('check'), await listed('file')]).toEqual([false, true]);
  await month.send(owner, 'filed', { version: '1', filedOn: '2026-11-10' });
  await month.send(owner, 'number', { incomingNumber: '77', filedOn: '2026-11-10' });
  expect((await owner.get(month.path)).text).toContain('<dd>77</dd>');
  await month.send(owner, 'accepted');
  expect((await owner.get(month.path)).text).toContain('The agency accepted it.');
  const inBulgarian = (await (await w.enter({ lang: 'bg' })).get(month.path)).text;
  expect([inBulgarian.includes('подаден на 10.11.2026'), inBulgarian.includes('г..')]).toEqual([true, false]);
  await month.send(owner, 'rejected', { words: 'Грешка 12\r\nред 2' });

  const rejected = await owner.get(month.path);
  expect(rejected.text).toContain('<pre>Грешка 12\nред 2</pre>');
  expect(rejected.text).toContain('file it within 7 days of the agency’s message');
  expect((await owner.get(`/console/months?shop=${month.shopId}`)).text).toContain('Rejected by the agency');
  expect((await month.send(owner, 'make')).status).toBe(303);
  expect((await month.acts()).map(({ act }) => act)).toEqual([
    ...['month.generated', 'month.checked', 'month.filed', 'month.filed', 'month.accepted', 'month.rejected', 'month.generated'],
  ]);
});

test('what came after the file is said, and is filed so only if that is ticked', async () => {
  const month = await w.october();
  await month.make();
  await w.create(october(3, { shopId: month.shopId }));
  const owner = await w.enter();

  await month.send(owner, 'checked');
  expect((await owner.get(`/console/months?shop=${month.shopId}`)).text).toContain('is missing 1 change: make it again');
  expect((await owner.get(`/console/months/due?shop=${month.shopId}&state=check`)).text).toContain(`href="${month.path}"`);
  const refused = await month.send(owner, 'filed', FILED);
  expect([refused.status, refused.text.includes('Version 1 lacks 1 change.'), refused.text.includes('name="asIs"')]).toEqual([409, true, true]);
  expect((await month.send(owner, 'filed', { ...FILED, asIs: 'yes' })).status).toBe(303);
});

test('an empty month is settled with a note', async () => {
  const month = await w.october({ orders: 0 });
  const owner = await w.enter();
  expect((await month.send(owner, 'make')).text).toContain('The month has no order for a file');

  expect(await month.send(owner, 'nothing', { note: 'Уточнено с Иванова' })).toMatchObject({ status: 303 });

  expect((await owner.get(month.path)).text).toContain('Nothing to file');
  expect((await owner.get(`/console/months?shop=${month.shopId}`)).text).toContain('Nothing to file');
});

test('an order that was just deleted is waited for, unless somebody does not want to', async () => {
  const month = await w.october();
  const { id } = await w.create(october(3, { shopId: month.shopId }));
  await w.remove(id);
  const owner = await w.enter();

  const waits = await month.send(owner, 'make');
  expect([waits.status, waits.text.includes('its replacement may be on its way'), waits.text.includes('name="now"')]).toEqual([409, true, true]);

  expect((await month.send(owner, 'make', { now: 'yes' })).status).toBe(303);
});

test('a file that takes long is made while the page says so', async () => {
  const month = await w.october();
  const owner = await w.enter();
  const client = await w.server.pool.connect();
  await client.query('begin');
  // Another process makes it.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`audit ${month.shopId} 2026-10`]);

  const answer = await month.send(owner, 'make');

  expect(answer).toMatchObject({ status: 303, location: `${month.path}?making=1` });
  expect((await owner.get(`${month.path}?making=1`)).text).toContain('<div id="making" data-live="">');
  expect((await owner.get(month.path)).text).toContain('The file is being made');
  await client.query('rollback');
  client.release();
  expect((await owner.get(`${month.path}?making=1`)).text).toContain('It is no longer being made');
  expect((await owner.get(month.path)).text).not.toContain('data-live');
});

test('it is mailed, and again only after a while', async () => {
  const month = await w.october();
  await month.make();
  const operator = await w.enter({ role: 'operator' });
  expect((await operator.get(month.path)).text).toContain('To shop@cups.example');

  expect((await month.send(operator, 'mail')).status).toBe(303);

  expect((await operator.get(month.path)).text).toContain('The mail waits to be sent');
  const again = await month.send(operator, 'mail');
  expect([again.status, again.text.includes('It was mailed just now')]).toEqual([409, true]);
  w.setClock('2026-11-10T10:16:00Z');
  expect((await month.send(operator, 'mail')).status).toBe(303);
  w.setClock(NOVEMBER_IN_TERM);
  const { rows } = await w.server.pool.query(`select count(*)::int as mails from compliance.mails where shop_id = $1 and kind = 'audit-file'`, [month.shopId]);
  expect(rows).toEqual([{ mails: 2 }]);
  expect((await month.acts()).slice(1)).toMatchObject([{ act: 'month.mailed', who: `person:${operator.person.id}` }, { act: 'month.mailed' }]);
});

test('every version is downloaded as it was made, with what differs between them', async () => {
  const month = await w.october();
  await month.make();
  await w.create(october(3, { shopId: month.shopId, internalNumber: MARKUP }));
  await month.make();
  const accountant = await w.enter({ role: 'accountant' });
  const { text } = await accountant.get(month.path);

  for (const version of [1, 2]) {
    const answer = await fetch(`${w.url}${month.path}/files/${version}.xml`, { headers: { cookie: accountant.cookie } });
    const hash = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer());
    expect(text).toContain(Buffer.from(hash).toString('hex'));
    expect(answer.headers.get('content-disposition')).toContain(`audit_RF0000123_2026-10_v${version}.xml`);
  }
  for (const kind of ['csv', 'bookkeeping', 'page']) expect((await accountant.get(`${month.path}/files/2.${kind}`)).status).toBe(200);
  for (const file of ['3.xml', '0.xml', '1.html', '1.exe', 'x']) expect((await accountant.get(`${month.path}/files/${file}`)).status).toBe(404);
  const diff = await accountant.get(`${month.path}/differences?first=1&second=2`);
  expect(diff.text).toContain('2 orders and 0 returns agree');
  expect(diff.text).toContain('&lt;script&gt;');
  expect((await accountant.get(`${month.path}/differences?first=2&second=2`)).text).toContain('The two files say the same');
  expect((await accountant.get(`${month.path}/differences?first=1&second=9`)).status).toBe(404);
});

test('a test shop has no months', async () => {
  const key = await w.server.service.keys.create({ multiShop: false, test: true });
  const { body } = await callerOf(w.server.baseUrl, key)('POST', '/shop', { body: shopDto({ name: 'За проба' }) });
  const owner = await w.enter();

  const page = await owner.get(`/console/months/${String(body['id'])}/2026-10`);

  expect(page.status).toBe(404);
  expect(page.text).toContain('A test shop has no months');
  expect((await owner.get('/console/months')).text).not.toContain('За проба');
});

test.each(['2026-13', '2026-12', 'x', '../../people'])('month %s is not there', async (name) => {
  const month = await w.october({ orders: 0 });

  expect((await (await w.enter()).get(`/console/months/${month.shopId}/${encodeURIComponent(name)}`)).status).toBe(404);
});

test('a month that is late is first, and red', async () => {
  const month = await w.october({ name: 'Закъснял' });
  await month.make();
  const owner = await w.enter();
  w.setClock('2026-11-17T10:00:00Z');

  const { text } = await owner.get(`/console/months?shop=${month.shopId}`);

  w.setClock(NOVEMBER_IN_TERM);
  expect(text).toContain('1 month is overdue');
  expect(text).toContain('late: was due 16 November 2026');
  expect(text).toContain('card failing');
});

test('the board and the health status count the same months as overdue', async () => {
  const made = await w.october({ name: 'С файл' });
  await made.make();
  await w.october({ name: 'Без файл' });
  await w.october({ name: 'Празен', orders: 0 });
  const owner = await w.enter();
  w.setClock('2027-01-20T10:00:00Z');

  const { text } = await owner.get('/console/months');
  const round = { pool: w.server.pool, now: w.now().getTime(), hasService: async () => true };
  const checks = await monthCheck.read(round as unknown as Parameters<typeof monthCheck.read>[0]);

  w.setClock(NOVEMBER_IN_TERM);
  const late = checks.filter(({ code }) => code === 'month.late');
  expect(text).toContain(`${late.reduce((sum, { count }) => sum + (count ?? 0), 0)} months are overdue`);
  // The term ends with its day in Sofia.
  expect(late.find(({ subject }) => subject === '2026-10')).toMatchObject({ since: '2026-11-16T22:00:00.000Z' });
});

test('all months of a shop are listed', async () => {
  const month = await w.october({ name: 'Стар' });
  w.setClock('2027-06-10T10:00:00Z');
  await w.create({ shopId: month.shopId, internalId: 'later', internalCreatedAt: '2027-06-01T10:00:00+03:00' });
  const owner = await w.enter({ lang: 'bg' });

  const older = await owner.get(`/console/months?older=1&shop=${month.shopId}`);
  const board = await owner.get(`/console/months?shop=${month.shopId}`);

  w.setClock(NOVEMBER_IN_TERM);
  expect(older.text).toContain('Всички месеци на Стар');
  expect(older.text).toContain(`href="${month.path}"`);
  // It was never filed.
  expect(board.text).toContain('октомври 2026');
  expect(board.text).not.toContain('септември 2026');
});

// The last two: anyone who sees all shops has no board from then on.
test('of many companies a page shows fifty, and reads of the others only what a list sorts; they have no board', async () => {
  const ids: string[] = [];
  w.setClock(OCTOBER);
  for (let n = 0; n < 101; n += 1) ids.push(await w.newShop({ name: `Магазин ${n}` }));
  w.setClock(NOVEMBER_IN_TERM);
  const accountant = await w.enter({ role: 'accountant', shops: ids });
  const rows = (text: string) => text.match(/href="\/console\/months\/[0-9a-f-]{36}\/2026-10">/g)?.length;

  const first = (await accountant.get('/console/months/due?month=2026-10')).text;
  // Each row, and of those whose file is not ready the first fifty.
  expect(rows(first)).toBe(100);
  expect(first).toContain('Not ready: 101 shops');
  expect(first).toContain('51 more: choose a shop.');
  expect(first.indexOf(`/${ids[9]}/2026-10`)).toBeLessThan(first.indexOf(`/${ids[10]}/2026-10`));
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(rows((await accountant.get(next)).text)).toBe(100);
  expect(await accountant.get('/console/months?month=2026-10')).toMatchObject({ status: 303, location: '/console/months/due?month=2026-10' });
  expect((await accountant.get(`/console/months?shop=${ids[7]}`)).text).toContain('class="board"');
  // Nothing leads back to the list itself; a shop that is chosen has a board.
  expect([first.includes('>Older months</a>'), first.includes('>To the board</a>')]).toEqual([true, false]);
  expect(first).toContain('href="/console/months?older=1"');
  expect((await accountant.get('/console/months?older=1')).text).toContain('Магазин 99</option>');
  const ofShop = (await accountant.get(`/console/months/due?shop=${ids[7]}`)).text;
  expect(ofShop).toContain(`href="/console/months?shop=${ids[7]}">To the board</a>`);
  expect(ofShop).toContain(`href="/console/months?older=1&amp;shop=${ids[7]}"`);

  let statements = 0;
  const pool = new Proxy(w.server.pool, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (name === 'query') statements += 1;
      return name === 'query' ? of.query.bind(of) : value;
    },
  });
  const { cards } = await monthOutlines({ ...auditDeps(w), pool }, { allowed: ids, shop: null, month: '2026-10' });
  expect([cards.length, statements]).toEqual([101, 3]);
});

test('few files are one archive, however many shops have none yet; the sums of so many are not shown', async () => {
  const month = await w.october({ name: 'Единствен' });
  await month.make();
  await w.server.pool.query(
    `insert into compliance.shops (id, api_key_id, details, addresses, marks, created_at, updated_at)
      select gen_random_uuid(), api_key_id, details, addresses, marks, created_at, updated_at from compliance.shops, generate_series(1, 500) where id = $1`,
    [month.shopId],
  );
  const accountant = await w.enter({ role: 'accountant' });

  const { text } = await accountant.get('/console/months/due?month=2026-10');
  const archive = await accountant.get('/console/months/files?month=2026-10');

  expect(text).toContain('Up to 500 months are summed');
  expect(text).not.toContain('One archive holds at most');
  const [, count] = /Download the files of (\d+) shop/.exec(text) ?? [];
  const folders = archive.text.matchAll(/(\d{2,}) [^/\0]{1,80} - [^/\0]{1,80}\/audit_/g);
  expect([archive.status, new Set([...folders].map(([, n]) => n)).size]).toEqual([200, Number(count)]);
});
