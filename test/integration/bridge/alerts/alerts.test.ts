import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { brokenChannels } from '../../../../src/bridge/ledger/alerts/alert-outbox.ts';
import { LEDGER_SCHEMA } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createPool } from '../../../../src/platform/postgres/postgres.ts';
import { longTest } from '../../../support/long-test.ts';
import { type Answerer, type RawServer, startHttpServer } from '../../../support/servers/raw-server.ts';
import { refusal, startSmtp } from '../../../support/servers/smtp-server.ts';
import { ALERT_SECRET, type Alerted, useAlerted } from '../../../support/worlds/alerted.ts';
import { until } from '../../../support/worlds/settled.ts';

const alerted = useAlerted();
const ok: Answerer = (response) => response.end('ok');
const webhookTo = ({ url }: RawServer) => ({ ALERT_WEBHOOK_URL: `${url}/hook?key=abc`, ALERT_WEBHOOK_SECRET: ALERT_SECRET });

function sent(it: Alerted, count: number) {
  return until(async () => (await it.rows()).filter(({ state }) => state === 'sent').length === count, { what: `${count} sent messages` });
}

function bodyOf({ seen }: RawServer, i = 0) {
  return JSON.parse(seen[i]?.body ?? 'null');
}

/** A mail without the folding of its headers. */
function unfolded(text = ''): string {
  return text.replace(/\r\n[ \t]+/g, ' ').replace(/=\r\n/g, '');
}

async function broken(it: Alerted): Promise<string[]> {
  const pool = createPool({ url: it.databaseUrl, schema: LEDGER_SCHEMA, max: 1, onError: () => undefined });
  try {
    // The clock of the test is of another day.
    await pool.query('update alert_messages set failed_at = now() where failed_at is not null');
    return (await brokenChannels(pool)).map(({ channel }) => channel);
  } finally {
    await pool.end();
  }
}

describe('an incident that lasts', () => {
  test('is told once by every channel, and its end, too', async () => {
    const it = await alerted();
    await using smtp = await startSmtp();
    await using slack = await startHttpServer(ok);
    await using hook = await startHttpServer((response) => response.writeHead(204).end());
    it.start({
      ALERT_MAIL_TO: 'ops@corner.example, owner@corner.example',
      SMTP_URL: smtp.url,
      ALERT_SLACK_URL: `${slack.url}/services/T/B/x`,
      ...webhookTo(hook),
    });
    await it.pass(0);
    await it.fail();
    await sent(it, 4);
    await it.recover();
    await sent(it, 8);

    expect(slack.seen).toHaveLength(2);
    expect(bodyOf(slack).text).toBe('orderbridge: failing: The compliance service takes no orders of &lt;Corner &amp; Sons&gt;.');
    expect(bodyOf(slack).blocks[0].text.text).toContain('Type: orderbridge doctor');
    expect(hook.seen.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.raised', 'alert.resolved']);
    expect(bodyOf(hook).data).toMatchObject({
      health: 'failing',
      incidents: [
        { code: 'destination.paused', subject: 'd1', level: 'failing', count: 12, total: '36.00 EUR', command: 'orderbridge doctor', state: 'raised' },
      ],
    });
    for (const { body, headers } of hook.seen) expect(() => new Webhook(ALERT_SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
    expect(new Set(hook.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    expect(smtp.taken.map(({ to }) => to.join()).sort()).toEqual([...Array(2).fill('ops@corner.example'), ...Array(2).fill('owner@corner.example')]);
  });

  test('makes one thread of mails, which no out-of-office program answers', async () => {
    const it = await alerted();
    await using smtp = await startSmtp();
    it.start({ ALERT_MAIL_TO: 'ops@corner.example', SMTP_URL: smtp.url });
    await it.fail();
    await it.recover();
    await sent(it, 2);

    const [raised, resolved] = smtp.taken.map(({ text }) => unfolded(text));
    const thread = /^References: (<\S+>)\r$/m.exec(raised ?? '')?.[1];
    expect(thread).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
    expect(resolved).toContain(`References: ${thread}`);
    expect(resolved).toContain('Subject: orderbridge: over: The compliance service takes no orders');
    expect(raised).toContain('Auto-Submitted: auto-generated');
    expect(raised).not.toContain('text/html');
  });

  test('is an .eml file where there is no mail server', async () => {
    const it = await alerted();
    it.start({ ALERT_MAIL_TO: 'ops@corner.example' });
    await it.fail();
    await sent(it, 1);

    const [file = ''] = await readdir(join(it.dataDir, 'outbox'));
    expect(unfolded(await readFile(join(it.dataDir, 'outbox', file), 'utf8'))).toContain('To: ops@corner.example');
  });
});

describe('a channel that takes no message', () => {
  test('429: it is sent again when Slack wants it, and not before', async () => {
    const it = await alerted();
    await using slack = await startHttpServer((response, _seen, count) =>
      count === 1 ? response.writeHead(429, { 'retry-after': '600' }).end() : response.end('ok'),
    );
    it.start({ ALERT_SLACK_URL: slack.url });
    await it.fail();
    await it.refused(1);
    expect(await it.rows()).toMatchObject([{ error: 'it answered 429' }]);
    await it.pass(9);
    expect(slack.seen).toHaveLength(1);

    await it.pass(2);
    await sent(it, 1);
    expect(slack.seen).toHaveLength(2);
  });

  test('404: it is given up, the log says so, and the others are told', async () => {
    const it = await alerted();
    await using slack = await startHttpServer((response) => response.writeHead(404).end('no_service'));
    await using hook = await startHttpServer(ok);
    it.start({ ALERT_SLACK_URL: `${slack.url}/services/SECRET`, ...webhookTo(hook) });
    await it.fail();
    await sent(it, 1);
    await until(async () => (await it.rows()).some(({ state }) => state === 'failed'), { what: 'the message to be given up' });

    expect(await it.rows()).toMatchObject([
      { channel: 'slack', state: 'failed', attempts: 1, error: 'it answered 404 (no_service)' },
      { channel: 'webhook', state: 'sent' },
    ]);
    expect(await broken(it)).toEqual(['slack']);
    expect(it.lines).toContainEqual(expect.objectContaining({ event: 'alert.not-sent', channel: 'slack', why: 'it answered 404 (no_service)' }));
    expect(JSON.stringify(it.lines)).not.toContain('SECRET');
  });

  test('an endpoint that hangs holds up no other', async () => {
    const it = await alerted();
    await using hook = await startHttpServer(() => undefined);
    await using slack = await startHttpServer(ok);
    it.start({ ALERT_SLACK_URL: slack.url, ...webhookTo(hook) });
    await it.fail();

    await sent(it, 1);
    await until(() => hook.seen.length === 1, { what: 'the endpoint that hangs to be called' });
    expect((await it.rows()).map(({ channel, state }) => `${channel} ${state}`)).toEqual(['slack sent', 'webhook waiting']);
  });

  test('a mail server that refuses for now is retried, one that refuses for good is not', async () => {
    const it = await alerted();
    let isBusy = true;
    await using smtp = await startSmtp({
      onRecipient: (address) => {
        if (address.startsWith('gone@')) throw refusal(550, `5.1.1 <${address}> unknown`);
        if (isBusy) throw refusal(451, '4.7.1 come back later');
      },
    });
    it.start({ ALERT_MAIL_TO: 'gone@corner.example,ops@corner.example', SMTP_URL: smtp.url });
    await it.fail();
    await until(async () => (await it.rows()).every(({ error }) => error !== null), { what: 'both tries' });
    await it.refused(1);
    expect(await it.rows()).toMatchObject([
      { channel: 'mail', state: 'failed', error: 'the mail server refused 1 of 1 recipients (550 5.1.1)' },
      { channel: 'mail-2', state: 'waiting', attempts: 1 },
    ]);

    isBusy = false;
    await it.pass(2);
    await sent(it, 1);
    expect(smtp.taken).toHaveLength(1);
  });

  longTest('is told the end after the beginning, not before', async () => {
    const it = await alerted();
    let isDown = true;
    await using slack = await startHttpServer((response) => (isDown ? response.writeHead(503).end() : response.end('ok')));
    it.start({ ALERT_SLACK_URL: slack.url });
    await it.fail();
    await it.refused(1);
    await it.recover();
    await until(() => slack.seen.length > 1, { what: 'the second try' });

    isDown = false;
    const refused = slack.seen.length;
    for (let minutes = 0; minutes < 20; minutes += 1) await it.pass(1);
    await sent(it, 2);
    const texts = slack.seen.slice(refused).map(({ body }) => JSON.parse(body).text.slice(0, 20));
    expect(texts).toEqual(['orderbridge: failing', 'orderbridge: over: T']);
  });

  longTest('500: it is retried for a day, and then given up', async () => {
    const it = await alerted();
    await using slack = await startHttpServer((response) => response.writeHead(503).end());
    it.start({ ALERT_SLACK_URL: slack.url });
    await it.fail();
    for (let tries = 0; tries < 5; tries += 1) await it.pass(11);
    expect(await broken(it)).toEqual(['slack']);
    for (let hours = 0; hours < 26; hours += 2) await it.pass(121);
    await until(async () => (await it.rows())[0]?.state === 'failed', { what: 'the message to be given up' });

    expect((await it.rows())[0]?.error).toBe('for a day: it answered 503');
    expect(slack.seen.length).toBeGreaterThan(10);
  });
});

describe('several processes', () => {
  test('tell an incident once, and the other goes on when one ends', async () => {
    const it = await alerted();
    await using slack = await startHttpServer(ok);
    const first = it.start({ ALERT_SLACK_URL: slack.url });
    await it.pass(0);
    it.start({ ALERT_SLACK_URL: slack.url });
    await it.fail();
    await sent(it, 1);

    await first[Symbol.asyncDispose]();
    await it.recover();
    await sent(it, 2);
    expect(slack.seen).toHaveLength(2);
  });

  test('make one summary a day', async () => {
    const it = await alerted();
    await using slack = await startHttpServer(ok);
    // 08:00 UTC is 10:00 in Sofia.
    for (let i = 0; i < 2; i += 1) it.start({ ALERT_SLACK_URL: slack.url, DIGEST_AT: '10:30' });
    await it.pass(25);
    expect(await it.rows()).toEqual([]);
    await it.pass(10);
    await it.pass(10);
    await sent(it, 1);
    await it.pass(24 * 60);
    await sent(it, 2);

    expect(bodyOf(slack).text).toBe('orderbridge: all is well (summary of 2026-11-21)');
    expect(JSON.stringify(bodyOf(slack).blocks)).toContain('On 2026-11-21: 0 records made, 0 removed, 0 webhooks refused.');
  });
});
