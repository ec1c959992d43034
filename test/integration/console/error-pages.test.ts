import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { refuseConnections } from '../../support/servers/refuse-connections.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const UNKNOWN = 'Whether it was done is not known';

/** An order that waits for a person, and the form that resolves it. */
async function waiting(it: World) {
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'shells' } }) });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const browser = await signIn(it.bridge, { role: 'operator' });
  const [page, resolve] = [`/console/orders/${id}`, `/console/orders/${id}/resolve`];
  const form = { ...formOf((await browser.get(page)).text, resolve), how: 'elsewhere', note: 'in the till' };
  return { browser, page, resolve: () => browser.post(resolve, form) };
}

test('a page that fails says under which id the log has it, and leads on; after a form it says that nobody knows whether it was done', async () => {
  await using it = await world();
  const { browser, page, resolve } = await waiting(it);
  const { pool } = it.bridge;
  await pool.query(`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`);
  await pool.query('create trigger broken before update on orders for each row execute function broken()');

  const failed = await resolve();

  const id = failed.headers.get('x-request-id') ?? 'none';
  expect([failed.status, failed.text.includes(id), failed.text.includes(UNKNOWN)]).toEqual([500, true, true]);
  expect(failed.text).toContain(`href="${page}"`);
  await pool.query('alter table acts rename to away');
  const looked = await browser.get('/console/activity');
  expect([looked.status, looked.text.includes(UNKNOWN)]).toEqual([500, false]);
  expect(looked.text).toContain('href="/console"');
});

test('while the database is away each page says so, and tries again where it can be loaded', async () => {
  await using it = await world();
  const { browser, page, resolve } = await waiting(it);
  const { href: url, pathname } = new URL(it.databaseUrl);
  await using away = await refuseConnections(Object.assign(new URL(url), { pathname: '/orderbridge' }).href, pathname.slice(1));

  const looked = await browser.get(page);
  const sent = await resolve();

  expect([looked.status, looked.text.includes('http-equiv="refresh" content="5"'), looked.text.includes(UNKNOWN)]).toEqual([503, true, false]);
  // The address of the form has no page.
  expect([sent.status, sent.text.includes(`content="5; url=${page}"`), sent.text.includes(UNKNOWN)]).toEqual([503, true, true]);
  await away.again();
  await until(async () => (await browser.get(page)).status === 200, { what: 'the page to come back' });
});
