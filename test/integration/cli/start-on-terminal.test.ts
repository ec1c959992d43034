import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../../src/cli/run-cli.ts';
import { codeOf, PASSWORD } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { longTest } from '../../support/long-test.ts';
import { BUILT } from '../../support/servers/built-program.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** What `start` has written when it was ready and had ended. */
async function written(env: Record<string, string>, isReady: (out: string) => boolean): Promise<string> {
  await using folder = await scratchDir();
  const usual = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder.path, DATABASE_URL: postgres.url, ENCRYPTION_KEYS, BNB_RATES_URL: 'off' };
  const child = spawn(process.execPath, [BUILT, 'start'], { cwd: folder.path, env: { ...usual, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const closed = once(child, 'close');
  await using running = new AsyncDisposableStack();
  running.defer(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  await until(() => isReady(out) || child.exitCode !== null, { what: 'the server to be ready' });
  await running.disposeAsync();
  return out;
}

test('for people, start says where it is, where its data are and what comes next, and its log is lines of words', async () => {
  const out = await written({ LOG_FORMAT: 'text' }, (text) => text.includes('Ctrl-C'));

  expect(out).toMatch(
    /\norderbridge is ready: http:\/\/localhost:\d+ · data in the PostgreSQL of DATABASE_URL\nNext, in another terminal: \.\/orderbridge shop create/,
  );
  expect(out).toMatch(/^\d\d:\d\d:\d\d stopped$/m);
  expect(out).not.toContain('{"');
  // Such an output may be kept: anyone who reads it must not become the owner.
  expect(out).not.toContain('Set up the console');
});

longTest('where its output is no terminal, it writes JSON alone', async () => {
  const out = await written({ PUBLIC_URL: 'https://bridge.example' }, (text) => text.includes('"event":"started"'));

  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(expect.arrayContaining([expect.objectContaining({ event: 'stopped' })]));
});

longTest('on a terminal it prints where the first person makes themselves the owner, and says nothing of it once there is one', async () => {
  await using folder = await scratchDir();
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder.path,
    DATABASE_URL: await postgres.createDatabase('whole'),
    ENCRYPTION_KEYS,
    BNB_RATES_URL: 'off',
  };

  const first = await whileStarted(env, async (out) => {
    const [, url = '', path = ''] = /Set up the console: (http:\/\/localhost:\d+)(\/console\/setup\?code=[A-Z2-9]{4}-[A-Z2-9]{4})\n/.exec(out()) ?? [];
    const browser = new EnteringBrowser(url);
    const owner = { email: 'ivan@shop.example', password: PASSWORD, lang: 'en', code: codeOf(path) };
    expect(await browser.post('/console/setup', owner)).toMatchObject({ status: 303, location: '/console' });
    // The link of a command leads to the server that runs.
    const { stdout, written: added } = terminal();
    const command = { args: ['people', 'add', 'night@shop.example', '--role', 'operator'], env, cwd: folder.path, stdin: new PassThrough(), stdout };
    expect(await runCli({ ...command, stderr: stdout, signal: new AbortController().signal })).toBe(0);
    expect(added()).toContain(`${url}/console/choose-password?code=`);
  });
  const second = await whileStarted(env, async () => undefined);

  expect(first).toContain('Set up the console: ');
  expect(second).not.toContain('Set up the console');
});

function terminal() {
  let text = '';
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 200 }).on('data', (part: string) => {
    text += part;
  });
  return { stdout, written: () => text };
}

/** Runs the server on a terminal in this process; what it wrote. */
async function whileStarted(env: Record<string, string>, work: (out: () => string) => Promise<void>): Promise<string> {
  const ending = new AbortController();
  const { stdout, written: out } = terminal();
  const context = { args: ['start'], env, cwd: env['DATA_DIR'] ?? '', stdin: new PassThrough(), stdout, stderr: stdout, signal: ending.signal };
  const running = runCli(context);
  await until(() => out().includes('Ctrl-C'), { what: 'the server to be ready' });
  try {
    await work(out);
  } finally {
    ending.abort('test');
  }
  expect(await running).toBe(0);
  return out();
}
