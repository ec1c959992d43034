import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ratesCommand } from '../../../src/cli/commands/service/rates.ts';
import { exitCodeOf, failureText } from '../../../src/cli/run-cli.ts';
import { euroSheet } from '../../support/samples/rates.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type RawServer, startHttpServer } from '../../support/servers/raw-server.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/bnb');
const sheet = euroSheet('2026-01-05', { USD: '1.1735', GBP: '0.8740' });

let postgres: TestPostgres;
let directory: Awaited<ReturnType<typeof scratchDir>>;
let bank: RawServer;
let answer: { status: number; body: string };

beforeAll(async () => {
  bank = await startHttpServer((response) => response.writeHead(answer.status).end(answer.body));
  postgres = await startPostgres('whole');
  directory = await scratchDir();
  for (const name of ['sheet-2025-01-10', 'sheet-2026-06-01', 'period-2025-12-usd']) {
    await copyFile(join(FIXTURES, `${name}.xml`), join(directory.path, `${name}.xml`));
  }
});
afterAll(async () => {
  await directory[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

function rates(...args: string[]) {
  return run(args, bank.url);
}

/** The real command, in a scratch folder. */
async function run(args: string[], url: string) {
  const out = new PassThrough();
  const err = new PassThrough();
  const env = { DATA_DIR: directory.path, DATABASE_URL: postgres.url, ENCRYPTION_KEYS, BNB_RATES_URL: url };
  const { signal } = new AbortController();
  const context = { args, env, cwd: directory.path, stdin: Readable.from([]), stdout: out, stderr: err, signal };
  const failed = await ratesCommand(context)
    .parseAsync(args, { from: 'user' })
    .then(() => undefined)
    .catch((thrown: unknown) => thrown);
  if (failed !== undefined) err.write(failureText(failed));
  out.end();
  err.end();
  return { code: failed === undefined ? 0 : exitCodeOf(failed), out: await text(out), err: await text(err) };
}

test('an empty store says how to fill it', async () => {
  expect(await rates('list')).toMatchObject({ code: 0, out: expect.stringContaining('`orderbridge service rates fetch`') });
});

describe('import', () => {
  test('prints what was stored; the same file again adds nothing', async () => {
    const first = await rates('import', 'sheet-2025-01-10.xml');
    const second = await rates('import', 'sheet-2025-01-10.xml');

    expect([first, second]).toEqual([
      { code: 0, out: '4 rates of 2025-01-10 stored, 0 replaced, 0 known already.\n', err: '' },
      { code: 0, out: '0 rates of 2025-01-10 stored, 0 replaced, 4 known already.\n', err: '' },
    ]);
  });

  test('takes a period, and that it is complete', async () => {
    const { code, out } = await rates('import', 'period-2025-12-usd.xml', '--complete');

    expect([code, out]).toEqual([0, '4 rates of 4 days from 2025-12-22 to 2025-12-30 stored, 0 replaced, 0 known already.\n']);
  });

  test('refuses other values, and takes them with --replace', async () => {
    await rates('import', 'sheet-2026-06-01.xml');
    await writeFile(join(directory.path, 'other.xml'), euroSheet('2026-06-01', { USD: '1.2' }));

    const refused = await rates('import', 'other.xml');
    const replaced = await rates('import', 'other.xml', '--replace');

    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('USD of 2026-06-01: 1 EUR = 1.1722 USD is stored, 1 EUR = 1.2 USD is given\nIf the new values are right, add --replace.');
    expect(replaced).toMatchObject({ code: 0, out: '0 rates of 2026-06-01 stored, 1 replaced, 0 known already.\n' });
  });

  test.each([
    ['a file that is not there', 'nowhere.xml', "nowhere.xml can't be read"],
    ['a web page', 'page.html', 'page.html was not imported, nothing was changed:\n  this is a web page'],
  ])('%s is told with its path', async (_what, file, words) => {
    await writeFile(join(directory.path, 'page.html'), '<!DOCTYPE html><html></html>');

    expect(await rates('import', file)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(words) });
  });
});

describe('list', () => {
  test('shows rates as the bank writes them', async () => {
    const { out } = await rates('list', '--to', '2025-12-31', '--from', '2025-01-01', '--currency', 'usd');

    expect(out.split('\n').slice(0, 3)).toEqual([
      'day         currency  rate                 source',
      '2025-01-10  USD       1 USD = 1.89886 BGN  BNB',
      '2025-12-22  USD       1 USD = 1.66582 BGN  BNB',
    ]);
  });

  test('gives JSON', async () => {
    const { out } = await rates('list', '--to', '2025-01-31', '--currency', 'BRL', '--json');

    expect(JSON.parse(out)).toEqual([{ currency: 'BRL', base: 'BGN', multiply: '3.13449', divide: '10', publishedOn: '2025-01-10', source: 'BNB' }]);
  });

  test.each([
    ['--from', '2026-02-30', '--from must be a day such as 2026-11-20'],
    ['--to', 'today', '--to must be a day such as 2026-11-20'],
    ['--currency', 'dollar', '--currency must be a code of three letters'],
  ])('%s %s is refused', async (option, value, words) => {
    expect(await rates('list', option, value)).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  });
});

describe('fetch', () => {
  test('stores the newest sheet', async () => {
    answer = { status: 200, body: sheet };

    expect(await rates('fetch')).toMatchObject({ code: 0, out: 'The newest sheet is of 2026-01-05: 2 rates stored, 0 known already.\n' });
  });

  test('fails in words', async () => {
    answer = { status: 503, body: '' };

    const { code, err } = await rates('fetch');

    expect([code, err]).toEqual([1, `no rates were fetched: ${new URL(bank.url).host} answers 503`]);
  });

  test('is off without an address', async () => {
    const { code, err } = await run(['fetch'], 'off');

    expect([code, err]).toEqual([78, expect.stringContaining('BNB_RATES_URL is off')]);
  });
});
