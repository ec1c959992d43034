import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openKeyProcess } from '../support/keys/key-process.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { openPool } from '../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startHttpServer } from '../support/servers/raw-server.ts';
import { ENCRYPTION_KEYS } from '../support/worlds/bridge.ts';
import { blockAlerts } from '../support/worlds/roadblock.ts';
import { until } from '../support/worlds/settled.ts';

let postgres: TestPostgres;
let databaseUrl: string;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  databaseUrl = await postgres.createDatabase();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const program = (slackUrl: string) =>
  startKillable({ databaseUrl, complianceUrl: 'http://127.0.0.1:9', idempotencyKey: 'supported', role: 'all', env: { ALERT_SLACK_URL: slackUrl } });

/** The compliance service was paused ten minutes ago, and a process has seen it since. */
async function pausedForLong(): Promise<void> {
  await using one = await openKeyProcess(databaseUrl, ENCRYPTION_KEYS);
  const { pool } = one;
  const id = await one.destinations.ensure('http://127.0.0.1:9', { apiKey: 'key', apiSecret: 'secret' });
  await pool.query(
    `insert into bridge.pauses (destination_id, code, detail, since, until)
     values ($1, 'compliance.unreachable', 'no answer', now() - interval '1 hour', now() + interval '1 hour')`,
    [id],
  );
  await until(async () => (await pool.query('select from bridge.incidents')).rowCount !== 0, { what: 'the pause to be seen' });
  await pool.query(`update bridge.incidents set began_at = now() - interval '10 minutes'`);
}

async function messages(): Promise<{ attempts: number; isSent: boolean }[]> {
  const { pool, end } = openPool(databaseUrl);
  const { rows } = await pool.query('select attempts, sent_at is not null as "isSent" from bridge.alert_messages');
  await end();
  return rows;
}

/** As if the lease of a killed process were over. */
async function leaseOver(): Promise<void> {
  const { pool, end } = openPool(databaseUrl);
  await pool.query(`update jobs.jobs set due_at = now() where kind = 'alerts'`);
  await end();
}

test('kill -9 while Slack has it and has not answered: it is sent twice, and is the same', async () => {
  await using slack = await startHttpServer((response, _seen, count) => (count === 1 ? undefined : response.end('ok')));
  await using first = await program(slack.url);
  await pausedForLong();
  await until(() => slack.seen.length === 1, { what: 'Slack to have it' });

  await first.kill();
  expect(await messages()).toEqual([{ attempts: 1, isSent: false }]);
  await leaseOver();

  await using _second = await program(slack.url);
  await until(async () => (await messages()).every(({ isSent }) => isSent), { what: 'the alert to be sent' });
  expect(slack.seen.map(({ body }) => body)).toEqual([slack.seen[0]?.body, slack.seen[0]?.body]);
});

test('kill -9 between raising and sending: the next process sends it', async () => {
  await using slack = await startHttpServer((response) => response.end('ok'));
  await using first = await program(slack.url);
  await using block = await blockAlerts(databaseUrl);
  await pausedForLong();
  await block.reached();

  await first.kill();
  await block.cut();
  await block.lift();
  expect(await messages()).toEqual([{ attempts: 0, isSent: false }]);
  expect(slack.seen).toHaveLength(0);
  await leaseOver();

  await using _second = await program(slack.url);
  await until(async () => (await messages()).every(({ isSent }) => isSent), { what: 'the alert to be sent' });
  expect(slack.seen).toHaveLength(1);
});
