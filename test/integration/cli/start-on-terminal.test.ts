import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { ENCRYPTION_KEY } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** What `start` has written when it was ready and had ended. */
async function written(env: Record<string, string>, isReady: (out: string) => boolean): Promise<string> {
  await using folder = await scratchDir();
  const usual = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder.path, DATABASE_URL: postgres.url, ENCRYPTION_KEY, BNB_RATES_URL: 'off' };
  const child = spawn(process.execPath, [MAIN, 'start'], { cwd: folder.path, env: { ...usual, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const closed = once(child, 'close');
  await until(() => isReady(out) || child.exitCode !== null, { what: 'the server to be ready', timeoutMs: 60_000 });
  child.kill('SIGTERM');
  await closed;
  return out;
}

test('for people, start says where it is, where its data are and what comes next, and its log is lines of words', { timeout: 120_000 }, async () => {
  const out = await written({ LOG_FORMAT: 'text' }, (text) => text.includes('Ctrl-C'));

  expect(out).toMatch(
    /\norderbridge is ready: http:\/\/localhost:\d+ · data in the PostgreSQL of DATABASE_URL\nNext, in another terminal: \.\/orderbridge shop create/,
  );
  expect(out).toMatch(/^\d\d:\d\d:\d\d stopped$/m);
  expect(out).not.toContain('{"');
});

test('where its output is no terminal, it writes JSON alone', { timeout: 120_000 }, async () => {
  const out = await written({ PUBLIC_URL: 'https://bridge.example' }, (text) => text.includes('"event":"started"'));

  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(expect.arrayContaining([expect.objectContaining({ event: 'stopped' })]));
});
