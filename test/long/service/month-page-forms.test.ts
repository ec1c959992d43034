import { describe, expect, test } from 'vitest';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { returnsAlone } from '../../support/worlds/returns-alone.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async () => worlds.portal();
const FILED = { version: '1', filedOn: '2026-11-10' };

test('F6: the form of a month with returns alone settles them, in words of their own', async () => {
  await using w = await worlds.portal({ orders: 0 });
  await returnsAlone(w);
  const { url, month } = await w.linked();
  await w.send(url, `${month}/again`);

  const page = (await w.open(`${month}?lang=en`)).text;
  expect(page).toContain('October 2026 has 1 return, but no order for the audit file');
  expect(page).toContain('Mark as dealt with');
  expect((await w.open(`${month}?lang=bg`)).text).toContain('Отбележи като уредени');
  const note = 'Коригирано в дневника';
  expect((await w.send(url, `${month}/nothing`, { fields: { note } })).status).toBe(409);
  expect((await w.open(`${url}/${w.shopId}/2026-11?lang=en`)).text).toContain('No file tells the returns of October 2026:');

  expect((await w.send(url, `${month}/nothing`, { fields: { note, withReturns: 'yes' } })).status).toBe(303);
  expect((await w.open(`${month}?lang=bg`)).text).toContain(note);
  expect((await w.open(`${url}/${w.shopId}/2026-11?lang=en`)).text).not.toContain('No file tells');
});

test('F1: the page in English says what changed, and files are downloaded under their own number', async () => {
  await using w = await world();
  await w.make();
  const { month } = await w.linked();
  await w.call('PUT', `/shop/${w.shopId}`, { body: { nraNumber: 'RF9999991' } });

  const { text } = await w.open(`${month}?lang=en`);

  expect(text).toContain('E-shop No: RF0000123 → RF9999991.');
  expect(text).toContain('name="asIs"');
  const file = await w.open(`${month}/files/1.xml`);
  expect(file.headers.get('content-disposition')).toContain('audit_RF0000123_2026-10_v1.xml');
});

describe('a form of another site', () => {
  test.each([
    ['says so', { 'sec-fetch-site': 'cross-site' }, undefined],
    ['is of the same domain alone', { 'sec-fetch-site': 'same-site' }, undefined],
    ['is opened by the address line', { 'sec-fetch-site': 'none' }, undefined],
    ['names its origin', { origin: 'https://evil.example' }, undefined],
    ['has no token', { 'sec-fetch-site': 'same-origin' }, null],
    ['has a token of its own', { 'sec-fetch-site': 'same-origin' }, 'made-up'],
    ['says nothing, and has no token', {}, null],
  ])('is refused if it %s', async (_, headers, form) => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();
    const before = await w.everything();

    const answer = await w.send(url, `${month}/filed`, { fields: FILED, headers, ...(form === undefined ? {} : { form }) });

    expect(answer.status).toBe(403);
    expect(await w.everything()).toBe(before);
  });

  test('the token of another link does not do', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();
    const other = await w.link({ month: '2026-09' });
    const token = /name="form" value="([^"]+)"/.exec((await w.open(`${other}/${w.shopId}/2026-10`)).text)?.[1] ?? '';

    expect(token).not.toBe('');
    expect((await w.send(url, `${month}/filed`, { fields: FILED, form: token })).status).toBe(403);
  });

  test.each([[{}], [{ origin: 'null' }]])('a browser that says nothing of sites (%o) is believed by the token', async (headers) => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();

    expect((await w.send(url, `${month}/filed`, { fields: FILED, headers })).status).toBe(303);
  });

  test('a body that is no form, or too large, is refused in words', async () => {
    await using w = await world();
    await w.make();
    const { month } = await w.linked();
    const post = (body: string, type: string) =>
      fetch(`${month}/filed`, { method: 'POST', body, headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' } });

    expect((await post('{}', 'application/json')).status).toBe(403);
    expect((await post(`a=${'x'.repeat(100_000)}`, 'application/x-www-form-urlencoded')).status).toBe(403);
  });
});

test('the page of a test shop offers nothing to do', async () => {
  await using w = await world();
  const key = await w.server.service.keys.create({ multiShop: false, test: true });
  const { body } = await callerOf(w.server.baseUrl, key)('POST', '/shop', { body: shopDto() });
  const { text } = await w.open(await w.link({ shopId: String(body['id']) }));

  expect([text.includes('Това е тестов магазин'), text.includes('<form')]).toEqual([true, false]);
});
