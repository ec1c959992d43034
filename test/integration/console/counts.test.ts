import { expect, test } from 'vitest';
import { countHours } from '../../../src/bridge/ledger/counts/count-hours.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { monthChart } from '../../../src/console/pages/count-charts.ts';
import { sofiaDay } from '../../../src/service/law/calendar.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** One order is recorded, one waits for a person, and all of it is counted. */
async function counted(it: World) {
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1041') });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042', { payment: { method: 'econt_pay' } }) });
  await until(async () => (await it.bridge.order(connected, '1041'))?.state === 'recorded', { what: 'the first to be recorded' });
  await until(async () => (await it.bridge.order(connected, '1042'))?.state === 'review', { what: 'the second to be sent to review' });
  await countHours(it.bridge.pool, new AbortController().signal);
  return connected;
}

/** The cells of the last row of the table below a heading. */
function lastRow(text: string, title: string): string[] {
  const table = text.split(`<caption class="unseen">${title}</caption>`)[1]?.split('</table>')[0] ?? '';
  return [...(table.split('<tr>').at(-1) ?? '').matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell).slice(1);
}

test('pages show what happened by the hour, in bars and in a table', async () => {
  await using it = await world();
  const { connection } = await counted(it);
  const browser = await signIn(it.bridge);

  const page = (await browser.get('/console')).text;
  expect(page).toContain('We can say what is usual after four whole weeks.');
  // It may have become a full hour meanwhile.
  expect(page).toMatch(/: 2 \(Orders received, a week before: 0\)<\/title>/);
  expect(lastRow(page, 'The last 48 hours')).toHaveLength(6);

  const store = (await browser.get(`/console/stores/${connection.id}`)).text;
  expect(lastRow(store, 'Webhooks of the last 48 hours')).toEqual(['2', '0']);
  expect((await browser.get('/console/stores')).text).toContain('today at the end: 0, 0, 0, 0, 0, 0, 2</title>');
  expect(lastRow((await browser.get('/console/destinations')).text, 'Answers of the last 48 hours').at(-1)).toBe('0');
  const today = sofiaDay(new Date().toISOString());
  const chosen = async (path: string, day: string) => (await browser.get(`${path}?from=${day}&to=${day}`)).text;
  expect(await chosen('/console/stores', today)).toMatch(
    /<strong>1 order recorded, 1 sent to review<.*data-label="Recorded">1<.*data-label="Sent to review">1</s,
  );
  expect(await chosen('/console/stores', '2026-01-01')).toContain('<strong>0 orders recorded, 0 sent to review<');
  expect(await chosen('/console/destinations', today)).toMatch(/<strong>1 request, 0 failed<.*data-label="Time"/s);
  expect(await chosen('/console/destinations', '2026-01-01')).toContain('No request was made on these days.');
  expect((await browser.get('/console/review')).text).toContain('today at the end: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1</title>');
});

test('before anything is counted Today has no bars; then it has, in Bulgarian, too', async () => {
  await using it = await world({ role: 'console' });
  const browser = await signIn(it.bridge, { lang: 'bg' });
  expect((await browser.get('/console')).text).not.toContain('<figure');
  await countHours(it.bridge.pool, new AbortController().signal);

  const { text } = await browser.get('/console');
  expect(text).toContain('Последните 48 часа');
  expect(text).toContain('Какво е обичайно, ще може да се каже след четири пълни седмици.');
});

test('a month shows its orders by day, and marks days without any', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  await it.bridge.pool.query(
    `insert into counts (span, at, subject, sold) select 'day', (d || ' 00:00 Europe/Sofia')::timestamptz, $1, n from (values ('2026-10-01', 3), ('2026-10-04', 2)) x(d, n)
     on conflict do nothing`,
    [connection.id],
  );
  const chart = async (today: string, month = '2026-10') => {
    const list = async () => [{ ...connection, recordFrom: '2026-10-02T09:00:00Z' }];
    const deps = { pool: it.bridge.pool, now: () => new Date(`${today}T10:00:00Z`), connections: { list } };
    return (await monthChart({ deps, words: wordsIn('en') }, { shopId: connection.shopId, month })).markup;
  };

  const markup = await chart('2026-10-05');
  expect(markup.match(/class="gap"/g)).toHaveLength(2);
  expect(markup).toContain('2 days have no recorded order and are marked.');
  expect(markup).toContain('<title>4 October 2026: 2</title>');
  expect(await chart('2026-10-02')).not.toContain('class="gap"');
  expect(await chart('2026-10-05', '2026-09')).toBe('');
});
