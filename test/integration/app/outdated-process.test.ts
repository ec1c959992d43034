import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openKeys } from '../../../src/app/open-keys.ts';
import { Secret } from '../../../src/config/secret.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createPool, inTransaction } from '../../../src/platform/postgres/postgres.ts';
import { runningProcesses } from '../../../src/platform/postgres/processes.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { OLD, openKeyProcess } from '../../support/keys/key-process.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const newVersion = (schema: string, runsBeside: number) => `insert into ${schema}.migrations (version, name, runs_beside) values (2, 'next', ${runsBeside})`;
const versions = rowsOf('migrations', z.object({ bridge: z.int(), jobs: z.int(), compliance: z.int() }));

const configOf = (url: string) => ({ database: { kind: 'external', url: new Secret(url) }, dataDir: '/nowhere', encryptionKeys: new Secret(OLD) }) as const;

test('a process says for which versions of all schemas it was made', async () => {
  await using process = await openKeyProcess(await postgres.createDatabase('whole'), OLD, 'worker');

  const text = `select (select max(version) from bridge.migrations) as bridge, (select max(version) from jobs.migrations) as jobs,
    (select max(version) from compliance.migrations) as compliance`;
  expect(await runningProcesses(process.pool)).toMatchObject([{ role: 'worker', versions: await readOne(process.pool, versions, { text }) }]);
});

test.each(['bridge', 'jobs', 'compliance'])('a process that runs goes on where %s was only added to, and learns when it is too old for it', async (schema) => {
  await using process = await openKeyProcess(await postgres.createDatabase('whole'), OLD, 'worker');

  await process.pool.query(newVersion(schema, 1));
  await process.keys.refresh();
  expect(process.outgrown).toEqual([]);
  await process.pool.query(`update ${schema}.migrations set runs_beside = 2 where version = 2`);
  await until(() => process.outgrown.includes(schema), { what: 'it to see that' });
});

test('our own service’s schema need not be there', async () => {
  await using process = await openKeyProcess(await postgres.createDatabase('bridge'), OLD, 'worker');

  await process.keys.refresh();
  expect(process.outgrown).toEqual([]);
});

test('a command says so, too, before its first statement, and no more once it is over', async () => {
  const url = await postgres.createDatabase('bridge');
  const { pool, end } = openPool(url);
  await using _ = { [Symbol.asyncDispose]: end };

  const command = await openKeyProcess(url, OLD);
  expect(await runningProcesses(pool)).toMatchObject([{ role: 'command', versions: { bridge: 1 } }]);
  await command[Symbol.asyncDispose]();
  expect(await runningProcesses(pool)).toEqual([]);
});

test.each(['worker', undefined])(
  'one (%s) that starts while an upgrade is under way waits for its end, and does not run beside what it is too old for',
  async (role) => {
    const url = await postgres.createDatabase('whole');
    const { pool, end } = openPool(url);
    await using _ = { [Symbol.asyncDispose]: end };
    const upgrade = await pool.connect();
    await upgrade.query(`begin; select pg_advisory_xact_lock(hashtext('migrate orderbridge')); ${newVersion('bridge', 2)}`);

    const starting = openKeyProcess(url, OLD, role);
    const waits = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'the start to wait' });
    expect((await pool.query('select from jobs.processes')).rowCount).toBe(1);
    await upgrade.query('commit');
    upgrade.release();

    await using process = await starting;
    expect(process.outgrown).toContain('bridge');
  },
);

test('one whose start is cut off while it waits for the end of an upgrade is not taken for one that runs', async () => {
  const url = await postgres.createDatabase('whole');
  const { pool, end } = openPool(url);
  await using _ = { [Symbol.asyncDispose]: end };
  const upgrade = await pool.connect();
  await upgrade.query(`begin; select pg_advisory_xact_lock(hashtext('migrate orderbridge'))`);
  const starting = openKeyProcess(url, OLD, 'worker');
  const waiting = `from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await pool.query(`select ${waiting}`)).rowCount === 1, { what: 'the start to wait' });

  await pool.query(`select pg_terminate_backend(pid) ${waiting}`);

  await expect(starting).rejects.toThrow();
  expect(await runningProcesses(pool)).toEqual([]);
  await upgrade.query('rollback');
  upgrade.release();
});

test('one that finds a database that takes no writes, as a standby, reads it, and says once that nobody sees it', async () => {
  const url = await postgres.createDatabase('whole');
  await (await openKeyProcess(url, OLD))[Symbol.asyncDispose]();
  const { pool, end } = openPool(url);
  await using _ = { [Symbol.asyncDispose]: end };
  await pool.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  const lines: string[] = [];

  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(line) } });
  const program = createPool({ url, schema: 'bridge', max: 2, onError: () => undefined });
  await using __ = { [Symbol.asyncDispose]: () => program.end() };
  await using keys = await openKeys({ pool: program, log, config: configOf(url), onTooOld: () => undefined });
  await keys.refresh();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const _look of [1, 2]) {
    vi.setSystemTime(Date.now() + 31_000);
    await keys.fenced(program).query('select');
  }

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', event: 'database.read-only' }]);
});

/** Its statements, in a database where it says by itself no more that it runs. */
async function silentProcess() {
  const resources = new AsyncDisposableStack();
  const url = await postgres.createDatabase('whole');
  const pool = createPool({ url, schema: 'bridge', max: 2, onError: () => undefined });
  resources.defer(() => pool.end());
  const log = createLog({ level: 'silent', name: 'test' });
  const outgrown: string[] = [];
  const keys = resources.use(await openKeys({ pool, log, config: configOf(url), onTooOld: (schema) => void outgrown.push(schema) }, 3_600_000));
  await keys.announce('worker');
  const others = openPool(url);
  resources.defer(others.end);
  vi.useFakeTimers({ toFake: ['Date'] });
  resources.defer(async () => void vi.useRealTimers());
  const seen = async () => (await runningProcesses(others.pool))[0]?.seenAt;
  return { fenced: keys.fenced(pool), others: others.pool, keys, outgrown, seen, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const WRITES = `update jobs.beats set beat = beat + 1`;
const beats = rowsOf('beats', z.object({ beat: z.int() }));

test('one that was not seen for a while, as in an outage, looks before it touches anything, once however much waits', async () => {
  await using it = await silentProcess();
  const before = await it.seen();

  await it.fenced.query(WRITES);
  expect(await it.seen()).toBe(before);
  vi.setSystemTime(Date.now() + 31_000);
  await Promise.all([it.fenced.query(WRITES), inTransaction(it.fenced, (tx) => tx.query(WRITES))]);
  expect((await it.seen())?.localeCompare(before ?? '')).toBe(1);
  expect(it.outgrown).toEqual([]);
});

test('one that a newer release took for ended, and that is too old by now, writes nothing more, and says why', async () => {
  await using it = await silentProcess();
  vi.setSystemTime(Date.now() + 31_000);
  await it.others.query(newVersion('bridge', 2));

  const words = 'the database was migrated by a newer version of orderbridge: this program is too old for the schema bridge';
  await expect(it.fenced.query(WRITES)).rejects.toThrow(words);
  await expect(inTransaction(it.fenced, (tx) => tx.query(WRITES))).rejects.toThrow(words);
  expect(it.outgrown).toContain('bridge');
  expect(await readOne(it.others, beats, { text: 'select beat from jobs.beats' })).toEqual({ beat: 0 });
});

test('a command that goes on for longer is refused once it sees that it is too old', async () => {
  await using it = await silentProcess();
  await it.others.query(newVersion('compliance', 2));

  await it.fenced.query(WRITES);
  await it.keys.refresh();
  await expect(it.fenced.query(WRITES)).rejects.toThrow('this program is too old for the schema compliance; start the newer program');
});
