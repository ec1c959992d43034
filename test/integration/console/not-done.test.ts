import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const unmapped = (id: string, changes: Record<string, unknown> = {}) => orderOf(id, { payment: { method: 'shells' }, ...changes });

test('who decides about an order that has changed finds both states, and all that they typed, and can send it again', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: unmapped('1') });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const browser = await signIn(it.bridge, { role: 'operator' });
  const [page, resolve] = [`/console/orders/${id}`, `/console/orders/${id}/resolve`];
  const opened = formOf((await browser.get(page)).text, resolve);
  await it.bridge.send(connected, 'order.updated', { order: unmapped('1', { updatedAt: '2026-11-01T11:00:00Z', payment: { method: 'beads' } }) });
  await until(async () => expect((await it.bridge.order(connected, '1'))?.review?.detail).toContain('beads'), { what: 'the new question' });

  const stale = await browser.post(resolve, { ...opened, how: 'elsewhere', note: 'in the old <till>' });

  expect(stale).toMatchObject({ status: 409, text: expect.stringMatching(/What you saw.*“shells”.*What it is now.*“beads”/s) });
  expect(stale.text).toContain('value="in the old &lt;till&gt;"');
  expect(stale.text).toMatch(/value="elsewhere" checked/);
  expect(await browser.post(resolve, { ...formOf(stale.text, resolve), how: 'elsewhere' })).toMatchObject({ status: 303 });
  expect(await it.bridge.settled(connected, '1', 'resolved')).toMatchObject({ resolution: { how: 'elsewhere', why: 'in the old <till>' } });
});

test('other stale forms keep what was typed, and go again with what is there now; secrets are never shown again', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const browser = await signIn(it.bridge, { role: 'owner', name: 'Ana' });
  const { person } = await signIn(it.bridge, { role: 'viewer', name: 'Ben' });
  const opened = formOf((await browser.get(`/console/people/${person.id}`)).text, `/console/people/${person.id}`);
  await it.bridge.pool.query(`update people set role = 'accountant' where id = $1`, [person.id]);

  const stale = await browser.post(`/console/people/${person.id}`, { ...opened, role: 'operator' });

  expect(stale.status).toBe(409);
  const again = formOf(stale.text, `/console/people/${person.id}`);
  expect(again).toMatchObject({ role: ['operator'] });
  expect(await browser.post(`/console/people/${person.id}`, again)).toMatchObject({ status: 303 });
  const secret = await browser.post(`/console/stores/${connection.id}/secret`, { seen: 'another', how: 'paste', secret: 'open-sesame-open' });
  expect(secret).toMatchObject({ status: 409, text: expect.not.stringContaining('open-sesame-open') });
  const keys = await browser.post(`/console/stores/${connection.id}/keys`, { seen: 'another', url: 'https://a.example', consumerSecret: 'open-sesame-open' });
  expect(keys.text).not.toContain('open-sesame-open');
});

test('what is refused leads back to where one was, names no command, and keeps what was typed', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'recorded');
  const browser = await signIn(it.bridge, { role: 'operator', lang: 'bg' });
  const opened = await browser.get(`/console/orders/${id}`);
  const seen = /name="seen" value="([^"]+)"/.exec(opened.text)?.[1] ?? '';
  const from = { 'sec-fetch-site': 'same-origin', referer: `${it.bridge.app.url}/console/orders?state=review&done=x` };

  const refused = await browser.post(`/console/orders/${id}/again`, { seen, note: 'mapped <wrong>' }, from);

  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.text).toContain('по днешните настройки');
  expect(refused.text).not.toContain('`orderbridge');
  expect(refused.text).toContain('href="/console/orders?state=review"');
  expect(refused.text).toContain('value="mapped &lt;wrong&gt;"');
  const elsewhere = { 'sec-fetch-site': 'same-origin', referer: 'https://evil.example/console/orders' };
  expect((await browser.post(`/console/orders/${id}/again`, { seen, note: 'x' }, elsewhere)).text).not.toContain('evil.example');
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect(await viewer.post(`/console/orders/${id}/again`, {}, from)).toMatchObject({
    status: 403,
    text: expect.stringContaining('href="/console/orders?state=review"'),
  });
});
