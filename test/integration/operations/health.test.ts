import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { healthDeps } from '../../../src/app/health-reader.ts';
import type { ReportedIncident } from '../../../src/bridge/alerts/alert.ts';
import { keepNetworkChecks } from '../../../src/bridge/ledger/alerts/network-checks.ts';
import { failures } from '../../../src/bridge/order/facts/failure.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { checkWords } from '../../../src/console/pages/today.ts';
import { queueCheck } from '../../../src/operations/health/checks/queue.ts';
import { besideDatabase, checkCodes, inDatabase } from '../../../src/operations/health/checks.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { notAsked, readHealth } from '../../../src/operations/health/read-health.ts';
import type { Statement } from '../../../src/platform/postgres/postgres.ts';
import { withLocalTimes } from '../../../src/platform/terminal/local-time.ts';
import { longTest } from '../../support/long-test.ts';
import { Alerts, alertsOf } from '../../support/worlds/evaluated-alerts.ts';
import { ANSWERED, type CheckCode, fileOf, type HealthCase } from '../../support/worlds/health-case.ts';
import { healthCases, otherCases } from '../../support/worlds/health-cases.ts';
import { askNow, type HealthWorld, startHealthWorld, type Told, told } from '../../support/worlds/health-world.ts';
import { until } from '../../support/worlds/settled.ts';

/** Those that have a test of their own below, or in `many-stores.test.ts`. */
const alone: readonly CheckCode[] = ['server.down', 'database.down', 'database.untested', 'queue.down', 'clock.off', 'month.due', 'stores.late'];

let world: HealthWorld;
beforeAll(async () => {
  world = await startHealthWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('every code of the table has a case', () => {
  expect([...Object.keys(healthCases), ...Object.keys(otherCases), ...alone].toSorted()).toEqual(Object.keys(checkCodes).toSorted());
});

test('where nothing is wrong, all say so', async () => {
  const now = await told(world);

  expect(now.status).toMatchObject({ health: 'ok', code: 0, failedChecks: [] });
  expect(now.text).toBe('ok: all is well.\n');
  expect(now.http).toMatchObject({ status: 200, body: { health: 'ok', failedChecks: [] } });
  for (const [code, { level }] of Object.entries(checkCodes)) expect(now.gauge).toContain(`orderbridge_incident{code="${code}",level="${level}"} 0`);
  const page = await fetch(`${world.bridge.app.url}/status`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<h1>All is well</h1>');
});

test.each([...besideDatabase, ...inDatabase].map((check) => [check.name, check] as const))(
  'that %s can’t be read is a failed check, and hides no other',
  async (name, check) => {
    const { core } = world.bridge.app;
    const deps = healthDeps(core, { ...world.queues, every: [] });
    const { failedChecks: before } = await readHealth(deps);
    using _ = vi.spyOn(check, 'read').mockRejectedValue(new Error('broken'));

    const { failedChecks: now } = await readHealth(deps);

    const [found, ...others] = [...now.filter(({ words }) => words.includes('broken')), ...now.filter(({ words }) => !words.includes('broken'))];
    expect(found).toMatchObject(check === queueCheck ? { code: 'queue.down' } : { code: 'check.failed', subject: name });
    expect(others).toEqual(before.filter(({ code }) => !check.codes.includes(code)));
  },
);

test('credentials of a compliance service that do not open are told of its stores, and hide no other', async () => {
  const { bridge } = world;
  const { pool, app } = bridge;
  const { connection } = await bridge.connect({ name: 'Sealed' });
  const own = await app.core.destinations.ensure('https://other.example', { apiKey: 'key', apiSecret: 'secret' });
  await pool.query('update connections set destination_id = $2 where id = $1', [connection.id, own]);
  const nobody = await app.core.destinations.ensure(null, { apiKey: 'ck_nobody', apiSecret: 'cs_nobody' });
  await pool.query('update destinations set credentials = (select credentials from destinations where id = $2) where id = $1', [own, nobody]);

  const { failedChecks } = await app.healthReader.now();

  await app.core.connections.close(connection.id);
  expect(failedChecks.filter(({ code }) => code === 'check.failed')).toEqual([]);
  expect(failedChecks).toContainEqual(
    expect.objectContaining({ code: 'key.unknown', subject: connection.id, words: expect.stringContaining('ENCRYPTION_KEYS') }),
  );
});

test('what only asking over the network can tell is told as each machine saw it last, and not as doctor sees it; after 20 minutes it is unknown', async () => {
  const { pool, app } = world.bridge;
  const mailDown = { code: 'mail.down', level: 'attention', subject: null, count: null, total: null, since: null, words: 'it was down', verb: null } as const;
  const ofNetwork = async () => {
    const health = await app.healthReader.now();
    return { found: health.failedChecks.filter(({ code, subject }) => code === 'mail.down' || subject === 'network'), silent: notAsked(health) };
  };
  await keepNetworkChecks(pool, 'another', [mailDown]);
  await askNow(world);

  const { out } = await world.run(['doctor']);

  expect(out).not.toContain('it was down');
  expect((await ofNetwork()).found).toMatchObject([{ code: 'mail.down', words: expect.stringMatching(/^it was down \(asked at 20.*Z\)$/) }]);

  await pool.query(`update network_checks set at = now() - interval '21 minutes'`);
  const { found, silent } = await ofNetwork();
  const unknown = { code: 'check.failed', level: 'attention', subject: 'network', words: expect.stringMatching(/no server has asked since 20.*Z$/) };
  expect(found).toMatchObject([unknown]);
  expect(silent.has('mail.down')).toBe(true);

  await askNow(world);
  expect((await ofNetwork()).found).toEqual([]);
});

test('orders of ours that wait for a person are counted where that is said, and not as outstanding at our service, too', async () => {
  const { pool, app } = world.bridge;
  const { shopId } = world.corner.connection;
  const codes = JSON.stringify({ 'payment.unmapped': 2, unconfirmed: 1, 'compliance.failing': 1, queued: 3 });
  await pool.query(
    `insert into compliance.outstanding values ($1, now(), jsonb_build_array(jsonb_build_object('orders', 7, 'month', to_char(now() + interval '1 day', 'YYYY-MM'),
      'currency', 'EUR', 'total', '7.00', 'oldest', now(), 'codes', $2::jsonb))) on conflict (shop_id) do update set at = excluded.at, months = excluded.months`,
    [shopId, codes],
  );

  const { failedChecks } = await app.healthReader.now();

  await pool.query('delete from compliance.outstanding where shop_id = $1', [shopId]);
  expect(failedChecks.filter(({ code }) => code === 'orders.outstanding')).toMatchObject([{ count: 3 }]);
});

test('a PostgreSQL that is newer than any that was tried is worth knowing', async () => {
  const { pool, app } = world.bridge;
  // None is there yet.
  const query = async (statement: string | Statement, values?: unknown[]) => {
    const answer: { rowCount: number | null; rows?: object[] } = await pool.query(statement, values);
    return { ...answer, rows: answer.rows?.map((row) => ('major' in row ? { ...row, version: '99.1', major: 99 } : row)) };
  };
  const newer = Object.assign(Object.create(pool), { query });
  const { failedChecks } = await readHealth({ ...healthDeps(app.core, { ...world.queues, every: [] }), pool: newer });
  expect(failedChecks).toContainEqual(
    expect.objectContaining({ code: 'database.untested', level: 'attention', words: 'PostgreSQL 99.1: the newest one that orderbridge was run with is 18' }),
  );
});

describe.each([
  ['together', Object.entries(healthCases)],
  ['those that the others hide', Object.entries(otherCases)],
])('%s', (_name, entries) => {
  const cases = entries.map(([code, one]) => [code as CheckCode, one] as const);
  const alerts = new Alerts();
  let during: Told;
  let raised: readonly ReportedIncident[];
  beforeAll(async () => {
    for (const [, one] of cases) await one.begin(world);
    during = await told(world, Object.assign({}, ...cases.map(([, { env }]) => env)));
    raised = alerts.seen(await seenBy(during)).raised;
  });

  test.each(cases)('%s is told by status, doctor, /status.json and the gauge', (code, one) => {
    expectReported(during, code, one);
  });

  test.each(cases)('%s is told by an alert', (code, one) => {
    expect(raised.filter((denial) => denial.code === code && isOf(denial, one.subject))).not.toEqual([]);
  });

  test('a store whose API fails hides no other that is right', () => {
    expect(during.doctor.out).toMatch(new RegExp(`^ok +connection +${world.corner.connection.id} `, 'm'));
  });

  test('on pages none has a code of ours, or a month, day or instant as programs write it', () => {
    const said = during.status.failedChecks.map((one) => checkWords(one, wordsIn('en'), (id) => id));
    const ofPrograms = new RegExp(`\\b(?:${Object.keys(failures).join('|').replaceAll('.', '\\.')})\\b|\\b20\\d\\d-\\d\\d`);
    expect(said.filter((words) => ofPrograms.test(words))).toEqual([]);
  });

  test('what a service or a store answered is only in words that are known to quote it', () => {
    const quoting = during.status.failedChecks.filter(({ words }) => words.includes(ANSWERED)).map(({ code }) => code as CheckCode);
    expect(quoting.filter((code) => !('quotes' in checkCodes[code]))).toEqual([]);
    if (cases.some(([code]) => code === 'privacy.not-forgotten')) expect(quoting).toEqual(expect.arrayContaining(['privacy.not-forgotten', 'shop.paused']));
  });

  test('failing ones come first, end the commands with 2 and 1, and are answered 503; the server tells no names', () => {
    const levels = during.status.failedChecks.map(({ level }) => level);
    expect(levels).toEqual([...levels.filter((level) => level === 'failing'), ...levels.filter((level) => level !== 'failing')]);
    expect(during.status).toMatchObject({ health: 'failing', code: 2 });
    expect(during.text).toMatch(/^failing: \d+ urgent problems?, \d+ to review/);
    expect(during.doctor.code).toBe(1);
    expect(during.http).toMatchObject({ status: 503, body: { health: 'failing' } });
    const { corner, woo, idle } = world;
    for (const name of ['books', 'staging.example', idle, corner.connection.id, corner.connection.shopId, woo.connection.id, 'slack', '127.0.0.1'])
      expect(JSON.stringify(during.http.body)).not.toContain(name);
  });

  test('and all of them end', async () => {
    for (const [, one] of cases.toReversed()) await one.end(world);

    await until(
      async () => {
        await askNow(world);
        const { failedChecks } = await world.bridge.app.healthReader.now();
        const left = failedChecks.filter((failedCheck) => cases.some(([code, one]) => code === failedCheck.code && isOf(failedCheck, one.subject)));
        if (left.length > 0) throw new Error(JSON.stringify(left));
        return true;
      },
      { what: 'the failed checks to end' },
    );
    const after = await told(world);
    const { resolved } = alerts.seen(await seenBy(after));
    for (const [code, one] of cases) {
      expect(resolved.filter((denial) => denial.code === code && isOf(denial, one.subject))).not.toEqual([]);
      expect(after.status.failedChecks.filter((failedCheck) => failedCheck.code === code && isOf(failedCheck, one.subject))).toEqual([]);
      expect(after.gauge).toContain(`orderbridge_incident{code="${code}",level="${checkCodes[code].level}"} 0`);
    }
    expect(after.status.health).not.toBe('failing');
    expect(after.http.status).toBe(200);
  });
});

function isOf({ subject }: { subject: string | null }, of: HealthCase['subject']): boolean {
  return of === undefined || (subject ?? '') === (of(world) ?? '');
}

/** What the command and the server see together: some failed checks are known to one of them alone. */
async function seenBy({ status }: Told): Promise<HealthStatus> {
  const whole = await world.bridge.app.healthReader.now();
  return { ...whole, failedChecks: [...whole.failedChecks, ...status.failedChecks] };
}

/** They were read at different moments. */
function numberless(text: string): string {
  return text.replace(/\d+/g, '0');
}

function expectReported(now: Told, code: CheckCode, { level, onlyServer, ...one }: HealthCase): void {
  const { en, what } = checkCodes[code];
  if (onlyServer !== true) {
    const subject = one.subject === undefined ? {} : { subject: one.subject(world) };
    const failedCheck = now.status.failedChecks.find((each) => each.code === code && isOf(each, one.subject));
    expect(failedCheck).toMatchObject({ code, level, ...subject });
    const words = numberless(withLocalTimes(failedCheck?.words ?? ''));
    expect(numberless(now.text)).toContain(`${level}  ${code}\n  ${words.slice(0, 40)}`);
    // Doctor has the id where the health status has the name.
    const said = words.replace(/^(corner|books|[a-z]+\.[a-z]+): /, '').slice(0, 40);
    const lines = now.doctor.out.split('\n').filter((line) => new RegExp(`^(WRONG|note) +${what} `).test(line));
    expect(numberless(lines.join('\n'))).toContain(said.trim());
  }
  expect(now.http.body.failedChecks).toContainEqual(expect.objectContaining({ code, level, words: en }));
  expect(now.gauge).toMatch(new RegExp(`^orderbridge_incident\\{code="${code}",level="${level}"\\} [1-9]`, 'm'));
}

describe('at another time', () => {
  afterEach(() => void vi.useRealTimers());
  const at = (iso: number) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(iso);
  };

  longTest('clock.off', async () => {
    at(Date.now() + 600_000);

    const during = await told(world);
    expectReported(during, 'clock.off', { level: 'attention', subject: () => 'the database', begin: () => undefined, end: () => undefined });

    vi.useRealTimers();
    const after = await told(world);
    expect(after.status.failedChecks.filter(({ code }) => code === 'clock.off')).toEqual([]);
    expect(alertsOf(during.status, after.status)).toEqual({ raised: expect.arrayContaining(['clock.off']), resolved: expect.arrayContaining(['clock.off']) });
  });

  test('F18: a month is due from the day of the reminder on, and late after its term, which is failing', async () => {
    const month = '2026-09';
    const { pool } = world.bridge;
    await pool.query(`insert into compliance.audit_months (shop_id, month, state, scheduled_at) values ($1, to_date($2, 'YYYY-MM'), 'generated', now())`, [
      world.idle,
      month,
    ]);
    await pool.query(fileOf(`to_date('${month}', 'YYYY-MM')`), [world.idle]);
    const ofMonth = async () => (await world.bridge.app.healthReader.read()).failedChecks.filter(({ subject }) => subject === month);

    at(Date.parse('2026-10-11T10:00:00Z'));
    expect(await ofMonth()).toEqual([]);
    at(Date.parse('2026-10-12T10:00:00Z'));
    const due = await told(world);
    expectReported(due, 'month.due', { level: 'attention', subject: () => month, begin: () => undefined, end: () => undefined });
    at(Date.parse('2026-10-16T10:00:00Z'));
    const late = await world.bridge.app.healthReader.read();
    expect(await ofMonth()).toMatchObject([{ code: 'month.late', level: 'failing', words: expect.stringContaining('2026-10-15') }]);
    vi.useRealTimers();
    const doctor = await world.run(['doctor']);
    expect(doctor).toMatchObject({ out: expect.stringMatching(/^note +audit files +2026-09 was not marked as filed/m) });

    await pool.query(`update compliance.audit_months set state = 'filed' where shop_id = $1`, [world.idle]);
    const filed = await world.bridge.app.healthReader.read();
    expect(await ofMonth()).toEqual([]);
    expect(alertsOf(due.status, late)).toEqual({ raised: expect.arrayContaining(['month.due']), resolved: expect.arrayContaining(['month.due']) });
    expect(alertsOf(late, filed)).toEqual({ raised: expect.arrayContaining(['month.late']), resolved: expect.arrayContaining(['month.late']) });
  });
});

describe('a server that is down', () => {
  const one = (code: CheckCode): [CheckCode, HealthCase] => [code, { level: 'failing', subject: () => null, begin: () => undefined, end: () => undefined }];

  longTest('queue.down holds up nothing else, and its other incidents are not taken for ended', async () => {
    await world.redis.stop();
    const during = await told(world);
    await world.redis.start();

    expectReported(during, ...one('queue.down'));
    expect(during.status.code).toBe(2);
    expect(during.http.status).toBe(503);
    expect([...notAsked(during.status)].toSorted()).toEqual(['backlog.old', 'queue.down', 'queue.paused', 'queue.unsafe']);
    const after = await until(
      async () => {
        const { status } = await told(world);
        if (status.failedChecks.some(({ code }) => code === 'queue.down')) throw new Error('the queue is down');
        return status;
      },
      { what: 'the queue to be back' },
    );
    expect(alertsOf(during.status, after)).toEqual({ raised: expect.arrayContaining(['queue.down']), resolved: expect.arrayContaining(['queue.down']) });
  });

  test('database.down is failing, no matter who asks; doctor ends with its words', async () => {
    await world.postgres.stop();
    const status = await world.run(['status', '--json']);
    const doctor = await world.run(['doctor']);
    const http = await fetch(`${world.bridge.app.url}/status.json`);
    const gauge = await (await fetch(`${world.bridge.app.url}/metrics`)).text();
    await world.postgres.start();

    const health = JSON.parse(status.out);
    expect({ code: status.code, health }).toMatchObject({
      code: 2,
      health: { health: 'failing', failedChecks: [{ code: 'database.down', level: 'failing' }] },
    });
    expect(notAsked(health).has('orders.need-review')).toBe(true);
    expect(doctor).toMatchObject({ code: 1, err: expect.stringContaining('the database can’t be used'.replace('’', "'")) });
    expect(http.status).toBe(503);
    expect(await http.json()).toMatchObject({ health: 'failing', failedChecks: expect.arrayContaining([expect.objectContaining({ code: 'database.down' })]) });
    expect(gauge).toContain('orderbridge_incident{code="database.down",level="failing"} 1');
    const after = await until(
      async () => {
        const { code, out } = await world.run(['status', '--json']);
        return code !== 2 && JSON.parse(out);
      },
      { what: 'the database to be back' },
    );
    expect(alertsOf(health, after)).toEqual({ raised: expect.arrayContaining(['database.down']), resolved: expect.arrayContaining(['database.down']) });
  });
});
