import { expect, test } from 'vitest';
import { missingOrders } from '../../../src/operations/months/outstanding.ts';
import { startMonthsWorld } from '../../support/console/months-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const listed = (text: string) => [...text.matchAll(/href="\/console\/orders\/\d+">([^<]+)</g)].map(([, number]) => number);

test('“not in the file” leads to the orders that are counted: by the month that would list them, not the one in which they were paid', async () => {
  await using it = await world();
  const { connection, ...connected } = await it.bridge.connect({ name: 'Corner' });
  const unmapped = (id: string, changes: Record<string, unknown>) => orderOf(id, { payment: { method: 'shells' }, ...changes });
  const send = async (id: string, changes: Record<string, unknown>) => {
    await it.bridge.send({ connection, ...connected }, 'order.paid', { order: unmapped(id, changes) });
    await it.bridge.settled({ connection, ...connected }, id, 'review');
  };
  await send('1', { createdAt: '2026-10-31T20:00:00Z', paidAt: '2026-11-01T09:00:00Z' });
  await send('2', { createdAt: '2026-11-02T09:00:00Z', paidAt: '2026-11-02T09:00:00Z' });
  const now = new Date('2026-11-10T09:00:00Z');
  const deps = { pool: it.bridge.pool, connections: [connection], now };
  const { shopId } = connection;
  const numbers = async (month: string) => (await missingOrders(deps, { shopId, month })).ids.length;
  expect([await numbers('2026-10'), await numbers('2026-11'), await numbers('2026-12')]).toEqual([1, 1, 0]);

  const browser = await signIn(it.bridge);
  const months = (await browser.get('/console/months')).text;
  const [, link = ''] = /href="(\/console\/orders\?missing=[^"]+)"/.exec(months) ?? [];
  expect(link).toMatch(new RegExp(`missing=${shopId}_20\\d\\d-\\d\\d$`));
  const counted = /<td[^>]*class="n"[^>]*>(\d+)<\/td>/.exec(months)?.[1];
  const list = (await browser.get(link)).text;
  expect(String(listed(list).length)).toBe(counted);
  expect(list).toMatch(/Paid, and not in the file of .*Apply to all 2 in review that match|Paid, and not in the file of/s);
  const elsewhere = await signIn(it.bridge, { role: 'accountant', shops: ['00000000-0000-4000-8000-000000000000'] });
  expect(listed((await elsewhere.get(link)).text)).toEqual([]);
});

test('“wait for a person” of a store leads to those that are counted, the ones of which nobody knows among them', async () => {
  await using it = await world({ idempotencyKey: 'ignored' });
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'shells' } }) });
  await it.bridge.settled(connected, '1', 'review');
  it.service.next('create', 'lose-reply');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  await it.bridge.settled(connected, '2', 'unconfirmed');
  const browser = await signIn(it.bridge);
  const [, link = ''] = /href="(\/console\/orders\?store=[^"]+)"/.exec((await browser.get(`/console/stores/${connected.connection.id}`)).text) ?? [];

  const list = (await browser.get(link.replaceAll('&amp;', '&'))).text;

  expect(listed(list)).toEqual(['#2', '#1']);
  expect(list).toContain('Apply to all 1 in review that match');
});

test('a store that was not read for long is so on its page, too, as Today says', async () => {
  await using it = await world({ config: { reconcileSeconds: 60 } });
  const { connection } = await it.bridge.connect({ name: 'Corner', access: { url: 'http://127.0.0.1:9' } });
  await it.bridge.pool.query(
    `insert into store_syncs (connection_id, read_at, added_at) values ($1, now() - interval '2 days', now() - interval '9 days')
     on conflict (connection_id) do update set read_at = excluded.read_at, added_at = excluded.added_at`,
    [connection.id],
  );
  await readIn(it.bridge.pool, connection.id, 86_400_000);
  const browser = await signIn(it.bridge);

  const { text } = await browser.get(`/console/stores/${connection.id}`);

  expect(text).toMatch(/<li><span><span class="tag attention">[^<]*<\/span> It was last read through its API 2 days ago. That is too long ago/);
});

test('the verb of a month leads to its page, or to the shops that have it', async () => {
  await using it = await world({ role: 'receiver' });
  await using audit = await startMonthsWorld(it);
  const one = await audit.october({ name: 'Чаши' });
  const browser = await audit.enter();
  expect(await browser.get('/console/months?month=2026-10')).toMatchObject({ status: 303, location: one.path });
  const other = await audit.october({ name: 'Книги' });

  const { text } = await browser.get('/console/months?month=2026-10');

  expect(text).toContain('Only October 2026.');
  for (const { path } of [one, other]) expect(text).toContain(`href="${path}"`);
  expect(text).not.toContain('/2026-11"');
  expect((await browser.get('/console/months?month=nonsense')).text).not.toContain('Only ');
});
