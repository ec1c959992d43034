import { describe, expect, test } from 'vitest';
import { type Answerer, type RawServer, startHttpServer } from '../../../support/servers/raw-server.ts';
import { refuseConnections } from '../../../support/servers/refuse-connections.ts';
import { useAlerted } from '../../../support/worlds/alerted.ts';
import { until } from '../../../support/worlds/settled.ts';

const alerted = useAlerted();
const ok: Answerer = (response) => response.end('ok');

function bodyOf({ seen }: RawServer, i = 0) {
  return JSON.parse(seen[i]?.body ?? 'null');
}

describe('the heartbeat', () => {
  test('is sent while nothing is failing', async () => {
    const it = await alerted();
    await using life = await startHttpServer(ok);
    it.start({ HEARTBEAT_URL: `${life.url}/ping/1` });
    await it.pass(0);

    expect(life.seen).toMatchObject([{ method: 'GET', path: '/ping/1' }]);
  });

  test('is not sent while something is', async () => {
    const it = await alerted();
    await using life = await startHttpServer(ok);
    it.failedChecks = [{ code: 'queue.down', level: 'failing', subject: null, count: null, total: null, since: null, words: 'The queue is down.', verb: null }];
    it.start({ HEARTBEAT_URL: life.url });
    await it.pass(0);

    expect(life.seen).toEqual([]);
  });
});

test('a database that is down is told from memory, and that it is back', async () => {
  const it = await alerted();
  await using slack = await startHttpServer(ok);
  it.start({ ALERT_SLACK_URL: slack.url });
  await it.pass(0);
  const name = new URL(it.databaseUrl).pathname.slice(1);
  const admin = new URL(it.databaseUrl);
  admin.pathname = '/orderbridge';
  const failures = () => it.lines.filter(({ event }) => event === 'alerts.failed').length;
  const lookedDown = async (): Promise<void> => {
    const before = failures();
    // A look that was cut off in its middle fails, too, and so does sending, once a minute.
    await until(() => failures() >= before + 4, { what: 'two looks without a database' });
  };
  await using open = await refuseConnections(admin.href, name);
  await lookedDown();
  it.leap(3);
  await lookedDown();
  expect(slack.seen).toHaveLength(0);
  it.leap(3);
  await until(() => slack.seen.length === 1, { what: 'the alert' });

  await open.again();
  await it.pass(0);
  await it.pass(6);
  await until(() => slack.seen.length === 2, { what: 'the end' });
  expect([bodyOf(slack).text, bodyOf(slack, 1).text]).toEqual([
    expect.stringContaining('orderbridge: failing: The database does not answer'),
    expect.stringContaining('orderbridge: over: The database does not answer'),
  ]);
  expect(await it.rows()).toEqual([]);
});
