import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { openEvents } from '../support/console/event-stream.ts';
import { signIn } from '../support/console/signed-in.ts';
import { refuseConnections } from '../support/servers/refuse-connections.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const streams = ['/console/events?page=/console/orders', '/console/live/stream'];

async function loggedWorld() {
  const lines: { level: string; msg: string; requestId: string }[] = [];
  const log = createLog({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  return { it: await world({ role: 'console', log }), failed: () => lines.filter(({ msg }) => msg === 'a request failed') };
}

/** Opens a stream: its id in the log, and when it has ended. */
async function opened(url: string, cookie: string, n = 0) {
  const { headers, body } = await fetch(url, { headers: { cookie, 'x-request-id': `stream-${n}` } });
  const reader = body?.getReader();
  const ended = (async () => {
    while ((await reader?.read())?.done === false);
  })();
  return { id: headers.get('x-request-id'), ended };
}

test('streams whose look fails end, and the log has why, once for each', async () => {
  const { it: made, failed } = await loggedWorld();
  await using it = made;
  const { cookie } = await signIn(it.bridge);
  const both = await Promise.all(streams.map((path, n) => opened(`${it.bridge.app.consoleUrl}${path}`, cookie, n)));

  await it.bridge.pool.query('alter table sessions rename to gone');
  await Promise.all(both.map(({ ended }) => ended));
  // Longer than a stream waits for its next look.
  await sleep(3_000);

  const ids = both.map(({ id }) => id);
  expect(ids).toEqual(streams.map((_, n) => `stream-${n}`));
  expect(failed().toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1))).toMatchObject(
    ids.map((requestId) => ({ level: 'error', method: 'GET', requestId, err: { message: 'relation "sessions" does not exist' } })),
  );
  expect(JSON.stringify(failed())).not.toContain(cookie.split('=')[1]);
});

test('streams end without a line while the database is away, and when their readers go', async () => {
  const { it: made, failed } = await loggedWorld();
  await using it = made;
  const { cookie } = await signIn(it.bridge);
  const gone = new AbortController();
  const urls = streams.map((path) => `${it.bridge.app.consoleUrl}${path}`);
  for (const url of urls) await openEvents(url, { cookie, signal: gone.signal });
  const left = await Promise.all(urls.map((url) => opened(url, cookie)));
  gone.abort();

  const { href: url, pathname } = new URL(it.databaseUrl);
  await using away = await refuseConnections(Object.assign(new URL(url), { pathname: '/orderbridge' }).href, pathname.slice(1));
  await Promise.all(left.map(({ ended }) => ended));
  await away.again();
  await until(async () => (await fetch(`${it.bridge.app.url}/readyz`)).status === 200, { what: 'the database to be back' });

  expect(failed()).toEqual([]);
});
