import { expect, test } from 'vitest';
import { startHttpServer } from '../../support/servers/raw-server.ts';
import { refusal, startSmtp } from '../../support/servers/smtp-server.ts';
import { ALERT_SECRET } from '../../support/worlds/alerted.ts';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

test('a test says of every channel what it answered, fails if one did, and is in the list', async () => {
  await using world = await startCliWorld();
  const { program } = world;
  await using slack = await startHttpServer((response) => response.writeHead(410).end('channel_is_archived'));
  await using hook = await startHttpServer((response) => response.writeHead(204).end());
  await using life = await startHttpServer((response) => response.end('OK'));
  await using smtp = await startSmtp({
    onRecipient: () => {
      throw refusal(550, '5.7.1 relaying denied');
    },
  });
  const env = {
    ...{ ALERT_MAIL_TO: 'ops@corner.example', SMTP_URL: smtp.url, ALERT_SLACK_URL: `${slack.url}/SECRET` },
    ...{ ALERT_WEBHOOK_URL: `${hook.url}/SECRET`, ALERT_WEBHOOK_SECRET: ALERT_SECRET, HEARTBEAT_URL: `${life.url}/SECRET` },
  };

  const { code, out, err } = await program.run(['alerts', 'test'], { env });

  expect(code).toBe(1);
  expect(out).toMatch(/WRONG +mail +ops@corner\.example +the mail server refused 1 of 1 recipients \(550 5\.7\.1\)/);
  expect(out).toMatch(/WRONG +slack +127\.0\.0\.1:\d+ +it answered 410 \(channel_is_archived\)/);
  expect(out).toMatch(/ok +webhook +127\.0\.0\.1:\d+ +it answered 204/);
  expect(out).toMatch(/ok +heartbeat +127\.0\.0\.1:\d+ +it accepted the sign of life/);
  expect(err).toContain('not sent: mail, slack');
  expect(`${out}${err}`).not.toContain('SECRET');
  expect(JSON.parse(hook.seen[0]?.body ?? '')).toMatchObject({ type: 'alert.test', data: { title: 'orderbridge: a test' } });
  expect(await program.json(['alerts', 'list'])).toMatchObject([
    { channel: 'mail', kind: 'test', sentAt: null },
    { channel: 'slack', kind: 'test', lastError: 'it answered 410 (channel_is_archived)' },
    { channel: 'webhook', kind: 'test', failedAt: null },
  ]);
  // The time is that of anyone who reads it.
  expect(await program.ok(['alerts', 'list'])).toMatch(/^\d\d\.\d\d\. \d\d:\d\d:\d\d +webhook +sent +orderbridge: a test/m);
});

test('an address over which others could read is not called', async () => {
  await using world = await startCliWorld({ ALERT_SLACK_URL: 'http://chat.example/SECRET' });
  const { program } = world;
  const { code, out } = await program.run(['alerts', 'test']);

  expect(code).toBe(1);
  expect(out).toContain('chat.example is called over http://');
});

test('a mail that no server takes is said to be a file that nobody gets', async () => {
  await using world = await startCliWorld({ ALERT_MAIL_TO: 'ops@corner.example' });
  const { program } = world;

  expect(await program.ok(['alerts', 'test'])).toMatch(/mail +ops@corner\.example +it is a file in DATA_DIR\/outbox, which nobody gets: set SMTP_URL/);
});

test('without a channel there is nobody to tell', async () => {
  await using world = await startCliWorld({ KEEP_OUTBOX_DAYS: '60' });
  const { program } = world;
  const { code, err } = await program.run(['alerts', 'test']);

  expect([code, err]).toEqual([1, expect.stringContaining('set ALERT_MAIL_TO, ALERT_SLACK_URL or ALERT_WEBHOOK_URL')]);
  expect(await program.ok(['alerts', 'list'])).toBe('Nothing was reported in the last 60 days.\n');
});
