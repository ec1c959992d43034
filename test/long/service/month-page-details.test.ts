import { describe, expect, test } from 'vitest';
import { october } from '../../support/worlds/october.ts';
import type { PortalWorld } from '../../support/worlds/portal-world.ts';
import { readerOf } from '../../support/worlds/reader.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (orders = 2) => worlds.portal({ orders });
const readOf = (w: PortalWorld) => readerOf(w.server.baseUrl, w.credentials);
const languages = ['bg', 'en'] as const;
const FILED = { version: '1', incomingNumber: '2212И0012345', filedOn: '2026-11-10' };

/** The label of the status of a month's page. */
const labelOf = (text: string) => /<p class="badge">([^<]*)/.exec(text)?.[1];
/** The state of October in the list of all months. */
const listedState = (text: string, shopId: string) => new RegExp(`${shopId}/2026-10[^<]*</a></td><td>([^<]*)`).exec(text)?.[1];

describe.each(languages)('the list of all months in %s', (lang) => {
  const labels = { bg: ['Готов, но непълен', 'Още не е изготвен, закъснява'], en: ['Ready, but incomplete', 'Not made yet, and late'] }[lang];

  async function seen(w: PortalWorld) {
    const url = await w.link();
    const [all, month] = [await w.open(`${url}/all?lang=${lang}`), await w.open(`${url}?lang=${lang}`)];
    return { listed: listedState(all.text, w.shopId), shown: labelOf(month.text) };
  }

  test('says that a file is incomplete, as its page does', async () => {
    await using w = await world();
    await w.make();
    const one = { month: '2026-10', orders: 3, total: '36.00', currency: 'EUR', oldest: '2026-10-03T08:00:00.000Z', codes: { queued: 3 } };
    await w.server.pool.query('insert into compliance.outstanding (shop_id, at, months) values ($1, $2, $3)', [w.shopId, w.now(), JSON.stringify([one])]);

    expect(await seen(w)).toEqual({ listed: labels[0], shown: labels[0] });
  });

  test('says that a file is late, as its page does, and that one is to come', async () => {
    await using w = await world();
    w.setClock('2026-11-05T10:00:00Z');
    const before = await seen(w);
    w.setClock('2026-11-14T10:00:00Z');

    const { listed, shown } = await seen(w);

    expect([before.listed, before.shown]).toEqual(lang === 'bg' ? ['Още няма файл', 'Още няма файл'] : ['No file yet', 'No file yet']);
    expect([listed, shown]).toEqual([labels[1], labels[1]]);
    expect((await readOf(w)(`/shops/${w.shopId}/months`)).body['items']).toMatchObject([{ situation: 'open', overdue: true }]);
  });

  test('says that a late month waits for a rate, as its page does', async () => {
    await using w = await world(0);
    await w.create({ ...october(1), currency: 'CHF' });
    w.setClock('2026-11-14T10:00:00Z');

    const label = { bg: 'Не е изготвен: има пречки', en: 'Can’t be made' }[lang];
    expect(await seen(w)).toEqual({ listed: label, shown: label });
  });
});

describe.each(languages)('the incoming number on the page in %s', (lang) => {
  const words = {
    bg: ['един ред до 50 знака, без табулации', 'Запиши поправката'],
    en: ['one line of up to 50 characters, without tabs', 'Save the correction'],
  };
  const [refused, button] = words[lang];

  test('is refused in words if it has a tab within', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();

    const answer = await w.send(url, `${month}/filed?lang=${lang}`, { fields: { ...FILED, incomingNumber: '2212И\t0012345' } });

    expect(answer.status).toBe(409);
    expect(answer.text).toContain(refused);
    expect(await filedNumbers(w)).toEqual([]);
  });

  test('is corrected by the form that has what was saved, and the audit log keeps both', async () => {
    await using w = await world();
    await w.make();
    const { url, month } = await w.linked();
    await w.send(url, `${month}/filed`, { fields: FILED });
    w.setClock('2026-11-12T10:00:00Z');

    const { text } = await w.open(`${month}?lang=${lang}`);
    const typedIn = (name: string) => new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1];
    const fields = { version: '1', incomingNumber: '2212И0054321', filedOn: typedIn('filedOn') ?? '' };
    const { status, headers } = await w.send(url, `${month}/filed?lang=${lang}`, { fields });
    const shown = await w.open(`${w.server.baseUrl}${headers.get('location')}`);

    expect(text).toContain(button);
    expect([typedIn('incomingNumber'), typedIn('filedOn')]).toEqual(['2212И0012345', '2026-11-10']);
    expect(text.match(/<option/g)).toHaveLength(1);
    expect([status, /<dd>2212И0054321<\/dd>/.test(shown.text)]).toEqual([303, true]);
    expect(await filedNumbers(w)).toEqual([
      { before: null, after: '2212И0012345', day: '2026-11-10' },
      { before: '2212И0012345', after: '2212И0054321', day: '2026-11-10' },
    ]);
  });
});

describe('skipped numbers', () => {
  const skip = (w: PortalWorld, to: number) => w.call('PUT', `/shop/${w.shopId}`, { body: { receiptStartNumber: to } });

  test.each([
    ['bg', 'Пропуснати номера', '10.11.2026 г.'],
    ['en', 'Skipped numbers', '10 November 2026'],
  ])('are on the page of the month that they lie in, with day and reason: %s', async (lang, title, day) => {
    await using w = await world(1);
    await skip(w, 5);
    await w.create(october(2));
    const { month } = await w.linked();

    const { text } = await w.open(`${month}?lang=${lang}`);

    const rows = [...(text.split(`<h2 id="skipped">${title}</h2>`)[1] ?? '').matchAll(/<tr>(<td>.*?)<\/tr>/g)].map(([, row = '']) => row);
    expect(rows[0]?.replaceAll(/&nbsp;|\u00a0/g, ' ')).toMatch(
      new RegExp(`^<td>0000000002</td><td>0000000004</td><td>${day}</td><td>receiptStartNumber was raised</td>$`),
    );
  });

  test('are in the interface by the days in which they were skipped, too, and in a summary to keep', async () => {
    await using w = await world(1);
    await w.make();
    await skip(w, 5);
    await w.create({ ...october(2), internalCreatedAt: '2026-11-09T10:00:00+02:00' });
    const skippedOf = async (month: string) => (await readOf(w)(`/shops/${w.shopId}/months/${month}`)).body['skipped'];
    const { month } = await w.linked();

    const range = { from: '0000000002', to: '0000000004', skippedOn: '2026-11-10', why: 'receiptStartNumber was raised' };
    expect(await skippedOf('2026-11')).toEqual({ count: 1, rows: [range] });
    expect(await skippedOf('2026-10')).toBeUndefined();
    expect((await w.open(`${month}/files/1.html`)).text).not.toContain('Пропуснати номера');

    await w.create(october(3));
    await w.make();
    expect(await skippedOf('2026-10')).toEqual({ count: 1, rows: [range] });
    expect((await w.open(`${month}/files/2.html`)).text).toMatch(/Пропуснати номера.*0000000002.*0000000004.*receiptStartNumber was raised/su);
  });
});

async function filedNumbers(w: PortalWorld): Promise<unknown[]> {
  const { rows } = await w.server.pool.query(`
    select before ->> 'incomingNumber' as before, after ->> 'incomingNumber' as after, after ->> 'filedOn' as day
    from compliance.acts where act = 'month.filed' order by id`);
  return rows;
}
