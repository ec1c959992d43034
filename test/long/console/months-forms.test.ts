import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MonthsWorld, startMonthsWorld } from '../../support/console/months-world.ts';
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

const FORMS: readonly [string, Record<string, string>][] = [
  ['make', {}],
  ['checked', {}],
  ['mail', {}],
  ['filed', FILED],
  ['number', FILED],
  ['accepted', {}],
  ['rejected', { words: 'грешка 12' }],
  ['nothing', { note: 'без продажби' }],
];

describe('who may', () => {
  test.each(FORMS)('%s: neither a viewer, nor another site, nor an accountant of another shop', async (act, fields) => {
    const month = await w.october();
    await month.make();
    const before = await month.acts();
    const viewer = await w.enter({ role: 'viewer' });
    const foreign = await w.enter({ role: 'accountant', shops: [crypto.randomUUID()] });
    const owner = await w.enter();
    const seen = await month.seen(owner);
    const send = (browser: typeof owner, headers?: Record<string, string>) => browser.post(`${month.path}/${act}`, { seen, ...fields }, headers);

    expect((await send(viewer)).status).toBe(403);
    expect((await send(owner, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send(foreign)).status).toBe(404);
    expect(await month.acts()).toEqual(before);
  });
});

describe('a stale form', () => {
  test('somebody filed it meanwhile: both are shown, and nothing is done', async () => {
    const month = await w.october();
    await month.make();
    const [maria, owner] = [await w.enter({ name: 'Мария' }), await w.enter()];
    const seen = await month.seen(owner);
    await month.send(maria, 'filed', FILED);
    const before = await month.acts();

    const stale = await owner.post(`${month.path}/filed`, { seen, version: '1', filedOn: '2026-11-10', incomingNumber: '999' });

    expect(stale.status).toBe(409);
    expect(stale.text).toContain('Filed: version 1, on 10 November 2026, number 999');
    expect(stale.text).toContain('Filed: version 1, on 10 November 2026, number 2212И0012345 (Мария)');
    expect(await month.acts()).toEqual(before);
  });

  test.each(FORMS)('%s: a form without what was seen does nothing', async (act, fields) => {
    const month = await w.october();
    await month.make();
    const before = await month.acts();

    expect((await (await w.enter()).post(`${month.path}/${act}`, fields)).status).toBe(409);
    expect(await month.acts()).toEqual(before);
  });
});

describe('what was typed', () => {
  test.each([
    ['filed', { ...FILED, version: 'x' }, 'Choose a version'],
    ['filed', { ...FILED, filedOn: 'yesterday' }, 'Choose a day'],
    ['filed', { ...FILED, filedOn: '2026-11-11' }, 'The day may be from 10 November 2026'],
    ['filed', { ...FILED, incomingNumber: 'x'.repeat(51) }, 'one line of up to 50 characters'],
    ['rejected', { words: ' ' }, 'Paste what the agency said'],
    ['rejected', { words: 'x'.repeat(4_001) }, 'Paste what the agency said'],
    ['nothing', { note: '' }, 'Write what was agreed'],
  ] as const)('%s %o is refused in words', async (act, fields, words) => {
    const month = await w.october();
    await month.make();
    const before = await month.acts();

    const answer = await month.send(await w.enter(), act, fields);

    expect(answer.status).toBe(422);
    expect(answer.text).toContain(words);
    expect(await month.acts()).toEqual(before);
  });

  test.each([
    ['filed', { ...FILED, version: '9' }, 'no such version'],
    ['number', FILED, 'not marked as filed'],
    ['rejected', { words: 'x' }, 'not marked as filed'],
    ['nothing', { note: 'x' }, 'The month has a file'],
    ['accepted', {}, 'not marked as filed'],
  ] as const)('%s %o does not fit the month', async (act, fields, words) => {
    const month = await w.october();
    await month.make();
    const before = await month.acts();

    const answer = await month.send(await w.enter(), act, fields);

    expect(answer.status).toBe(409);
    expect(answer.text).toContain(words);
    expect(await month.acts()).toEqual(before);
  });

  test('is text wherever it is shown', async () => {
    const month = await w.october({ name: MARKUP });
    await month.make();
    const owner = await w.enter({ name: MARKUP });
    await month.send(owner, 'filed', { ...FILED, incomingNumber: MARKUP });
    const pages = [await owner.get('/console/months'), await owner.get(month.path), await owner.get(`/console/months?older=1&shop=${month.shopId}`)];
    await month.send(owner, 'rejected', { words: MARKUP });
    const empty = await w.october({ orders: 0 });
    const refused = await empty.send(owner, 'nothing', { note: MARKUP.repeat(100) });
    await empty.send(owner, 'nothing', { note: MARKUP });
    pages.push(await owner.get(month.path), refused, await owner.get(empty.path), await owner.post(`${month.path}/rejected`, { words: MARKUP }));

    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 422, 200, 409]);
    for (const { text } of pages) {
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).not.toContain('<script>alert');
    }
  });
});

describe('a month with paid orders that are not recorded', () => {
  test('is refused with the count, keeps what was typed, and is filed once that is ticked', async () => {
    const month = await w.october({ name: 'С чакащи' });
    await month.make();
    await month.reportThree();
    const owner = await w.enter();

    const refused = await month.send(owner, 'filed', FILED);

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('3 paid orders of the month are not recorded');
    expect(refused.text).toContain('value="2212И0012345"');
    expect(refused.text).toContain('name="withoutOutstanding"');
    const board = (await owner.get(`/console/months?shop=${month.shopId}`)).text;
    expect(board).toContain('3 paid orders are not in it (€36.00)');
    expect(board).toContain(`/console/orders?missing=${month.shopId}_2026-10`);

    expect((await month.send(owner, 'filed', { ...FILED, withoutOutstanding: 'yes' })).status).toBe(303);
    const after = (await owner.get(`/console/months?shop=${month.shopId}`)).text;
    expect(after).toContain('filed without 3 orders');
    expect(after).toContain('filed on 10 November 2026, No 2212И0012345');
  });
});
