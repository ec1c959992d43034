import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { sessionsOf } from '../../../src/operations/people/sessions.ts';
import { openEvents, type StreamedEvent } from '../../support/console/event-stream.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

async function open(it: World, { cookie }: SignedInBrowser, path: string) {
  const stopped = new AbortController();
  const events = await openEvents(`${it.bridge.app.consoleUrl}${path}`, { cookie, signal: stopped.signal });
  return { events, [Symbol.dispose]: () => stopped.abort() };
}

/** The stream stays open. */
async function firstOf(events: AsyncGenerator<StreamedEvent>, wanted: (event: StreamedEvent) => boolean): Promise<StreamedEvent> {
  for (let next = await events.next(); next.done !== true; next = await events.next()) if (wanted(next.value)) return next.value;
  throw new Error('the stream ended before');
}

test('a page that is looked at gets the parts that changed', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  using stream = await open(it, await signIn(it.bridge), '/console/events?page=/console');

  const changed = firstOf(stream.events, ({ event, data }) => event === 'part' && JSON.stringify(data).includes('1 order in review'));
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1042', { payment: { method: 'econt_pay' } }) });

  expect((await changed).data).toMatchObject({ id: 'health', markup: expect.stringContaining('Review') });
});

test('a session that is ended elsewhere ends its streams', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  using stream = await open(it, browser, '/console/events?page=/console');

  const ended = firstOf(stream.events, ({ event }) => event === 'ended');
  await it.bridge.pool.query('update sessions set ended_at = now() where person = $1', [browser.person.id]);

  expect(await ended).toMatchObject({ event: 'ended' });
});

test('what happens is streamed as lines, names escaped, to those who may see it', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner <i>shop</i>' });
  using stream = await open(it, await signIn(it.bridge, { role: 'viewer' }), '/console/live/stream');

  const line = firstOf(stream.events, ({ event, data }) => event === 'lines' && JSON.stringify(data).includes('create'));
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1041') });

  expect((await line).data).toContainEqual(expect.objectContaining({ markup: expect.stringContaining('Corner &lt;i&gt;shop&lt;/i&gt;') }));
});

test.each([
  { path: '/console/live/stream', role: 'accountant', status: 401 },
  { path: '/console/live/stream?store=nobody', role: 'owner', status: 404 },
  { path: '/console/events?page=/console/nowhere', role: 'owner', status: 404 },
  { path: '/console/events?page=/console/orders/%25zz', role: 'owner', status: 404 },
  { path: '/console/events?page=https://evil.example/console', role: 'owner', status: 404 },
] as const)('$path answers $status to $role', async ({ path, role, status }) => {
  await using it = await world();

  expect(await (await signIn(it.bridge, { role })).get(path)).toMatchObject({ status });
});

test('streams end when the process stops, and it stops at once', async () => {
  const it = await world({ fresh: true });
  const browser = await signIn(it.bridge);
  using page = await open(it, browser, '/console/events?page=/console');
  using live = await open(it, browser, '/console/live/stream');
  const ends = [page, live].map(({ events }) => firstOf(events, () => false).catch((error: unknown) => String(error)));

  const began = performance.now();
  await it[Symbol.asyncDispose]();

  expect(performance.now() - began).toBeLessThan(15_000);
  expect(await Promise.all(ends)).toEqual([expect.stringContaining('the stream ended'), expect.stringContaining('the stream ended')]);
});

test('a stream asks the database while somebody looks, and nothing once they have gone', async () => {
  await using it = await world();
  const [gone, stays] = [await signIn(it.bridge), await signIn(it.bridge)];
  const asked = vi.spyOn(it.bridge.pool, 'query');
  const looksOf = ({ cookie }: SignedInBrowser) => {
    const token = createHash('sha256').update(cookie.replace('orderbridge=', '')).digest('hex');
    return asked.mock.calls.filter(
      ([statement]) => typeof statement === 'object' && statement.values?.some((value) => Buffer.isBuffer(value) && value.toString('hex') === token),
    ).length;
  };
  const stream = await open(it, gone, '/console/events?page=/console/orders');
  using _other = await open(it, stays, '/console/events?page=/console/orders');
  await until(() => looksOf(gone) > 1, { what: 'the stream to look again' });

  stream[Symbol.dispose]();
  // The other stream is the clock: by its next look the end of this one has been noticed.
  const next = async () => {
    const before = looksOf(stays);
    await until(() => looksOf(stays) > before, { what: 'the other stream to look' });
  };
  await next();
  const looks = looksOf(gone);
  await next();
  await next();

  expect(looksOf(gone)).toBe(looks);
});

test('a page that is left open keeps nobody signed in; coming does', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  const seenAt = async () => (await sessionsOf(it.bridge.app.core, browser.person)).map((session) => session.seenAt);
  await it.bridge.pool.query(`update sessions set seen_at = now() - interval '5 minutes'`);
  const before = await seenAt();
  using stream = await open(it, browser, '/console/events?page=/console');

  await firstOf(stream.events, ({ event }) => event === 'part');
  expect(await seenAt()).toEqual(before);

  await browser.get('/console/orders');
  expect(await seenAt()).not.toEqual(before);
});

test('the title says how much is wrong as it changes', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  using stream = await open(it, await signIn(it.bridge), '/console/events?page=/console/orders');

  const marked = firstOf(stream.events, ({ event, data }) => event === 'title' && String(data).startsWith('('));
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'econt_pay' } }) });

  expect((await marked).data).toMatch(/^\(\d!?\) Orders – orderbridge$/);
});

test('a page that leads elsewhere by now is loaded anew', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  using stream = await open(it, await signIn(it.bridge), `/console/events?page=${encodeURIComponent('/console/find?q=1')}`);

  expect(await firstOf(stream.events, ({ event }) => event === 'ended')).toMatchObject({ event: 'ended' });
});
