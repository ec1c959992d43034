import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { openEvents } from '../../support/console/event-stream.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { refuseConnections } from '../../support/servers/refuse-connections.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();
const streams = ['/console/events?page=/console/orders', '/console/live/stream'];

async function loggedWorld() {
  const lines: { level: string; msg: string; requestId?: string }[] = [];
  const log = createLog({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  return { it: await world({ role: 'console', log }), failed: () => lines.filter(({ msg }) => msg === 'a request failed') };
}

/** Opens a stream: its id in the log, and when it has ended. */
async function opened(url: string, cookie: string, signal: AbortSignal) {
  const { headers, body } = await fetch(url, { headers: { cookie, 'x-request-id': 'the-stream' }, signal });
  const reader = body?.getReader();
  const ended = (async () => {
    while ((await reader?.read())?.done === false);
  })();
  return { id: headers.get('x-request-id'), ended };
}

test.each(streams)('%s whose look fails ends, and the log has why, once', { timeout: 60_000 }, async (path) => {
  const { it: made, failed } = await loggedWorld();
  await using it = made;
  const { cookie } = await signIn(it.bridge);
  const stopped = new AbortController();
  const { id, ended } = await opened(`${it.bridge.app.consoleUrl}${path}`, cookie, stopped.signal);

  await it.bridge.pool.query('alter table sessions rename to gone');
  await ended;
  await sleep(3_000);

  expect(failed()).toMatchObject([{ level: 'error', method: 'GET', requestId: id, err: { message: 'relation "sessions" does not exist' } }]);
  expect(id).toBe('the-stream');
  expect(JSON.stringify(failed())).not.toContain(cookie.split('=')[1]);
});

test.each(streams)('%s ends without a line while the database is away, and when its reader goes', { timeout: 60_000 }, async (path) => {
  const { it: made, failed } = await loggedWorld();
  await using it = made;
  const { cookie } = await signIn(it.bridge);
  const gone = new AbortController();
  await openEvents(`${it.bridge.app.consoleUrl}${path}`, { cookie, signal: gone.signal });
  const { ended } = await opened(`${it.bridge.app.consoleUrl}${path}`, cookie, new AbortController().signal);
  gone.abort();

  const { href: url, pathname } = new URL(it.databaseUrl);
  await using away = await refuseConnections(Object.assign(new URL(url), { pathname: '/orderbridge' }).href, pathname.slice(1));
  await ended;
  await away.again();
  await until(async () => (await fetch(`${it.bridge.app.url}/readyz`)).status === 200, { what: 'the database to be back' });

  expect(failed()).toEqual([]);
});
