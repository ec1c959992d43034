import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type DemoStore, demoStores } from '../../src/demo/demo-stores.ts';
import { demoTime } from '../../src/demo/demo-time.ts';
import { runDemo } from '../../src/demo/run-demo.ts';
import { EnteringBrowser } from '../support/console/entering-browser.ts';
import { formOf } from '../support/console/form-of.ts';
import { hiddenIn, issueIn } from '../support/console/review-world.ts';
import { longTest } from '../support/long-test.ts';
import { drawn } from '../support/run-size.ts';
import { BUILT } from '../support/servers/built-program.ts';
import { Program } from '../support/servers/program.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { until } from '../support/worlds/settled.ts';

const root = join(import.meta.dirname, '../..');
/** Both play all stories. */
const shown = drawn(['once', 'stays'] as const);

test.runIf(shown.includes('once'))('npm run demo -- --once plays every story to its right end, and leaves nothing behind', async () => {
  await using scratch = await scratchDir();

  const { code, out, err } = await npm(['run', '--silent', 'demo', '--', '--once'], { TMPDIR: scratch.path, PORT: '0' });

  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(rowsOf(out)).toEqual([
    '✓ shopify #1001: recorded, 55.70',
    '✓ shopify #1002: recorded, 59.78',
    '✓ shopify #1003: recorded, 39.80',
    '✓ shopify #1004: recorded, 20.90',
    '✓ shopify #1005: removed, -',
    '✓ shopify #1006: recorded, 6.90',
    '✓ shopify #1007: recorded, 15.00',
    '✓ shopify #1008: review: removal.unproven, 51.90',
    '✓ shopify #1009: ignored, -',
    '✓ shopify #1010: refused, -',
    '✓ woocommerce 2001: recorded, 53.90',
    '✓ woocommerce 2002: recorded, 17.96',
    '✓ woocommerce 2003: recorded, 22.50',
    '✓ woocommerce 2004: recorded, 30.00',
    '✓ woocommerce 2005: recorded, 32.00',
    '✓ woocommerce 2006: review: refund.unattributed, 48.00',
    '✓ woocommerce 2007: waiting, -',
    '✓ woocommerce 2008: recorded, 12.00',
    '✓ woocommerce 2009: review: payment.unmapped, -',
    '✓ standard 3001: recorded, 15.05',
    '✓ standard 3002: recorded, 21.00',
    '✓ standard 3003: recorded, 67.40',
    '✓ standard 3004: review: total.mismatch, -',
  ]);
  expect(out).toContain('23 of 23 orders ended as they should.');
  expect((await readdir(scratch.path)).filter((name) => name.startsWith('orderbridge'))).toEqual([]);
});

longTest('an order that ends with a wrong total is reported, and the demo fails', async () => {
  const stdout = new Collected();
  const context = { args: [], env: { PORT: '0' }, cwd: root, stdin: Readable.from([]), stdout, stderr: new Collected(), signal: new AbortController().signal };

  const ended = runDemo(context, { once: true, stores: [oneWrong()] });

  await expect(ended).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('1 of 4 orders did not end as they should') });
  expect(stdout.text).toContain('✗ standard 3001: 15.05 is recorded, and should be 15.06');
  expect(stdout.text).toContain('3 of 4 orders ended as they should.');
});

test('a port that is taken is said before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const stdout = new Collected();
  const context = { args: [], env: { PORT: port }, cwd: root, stdin: Readable.from([]), stdout, stderr: stdout, signal: new AbortController().signal };

  await expect(runDemo(context, { once: true })).rejects.toThrow(`port ${port} is taken`);

  expect(stdout.text).toBe('');
  other.close();
});

describe('the demo that stays', { timeout: 600_000 }, () => {
  test.runIf(shown.includes('stays'))(
    'opens its console signed in, with every state and a story that can be finished; with --keep `start` goes on with it',
    async () => {
      await using scratch = await scratchDir();
      await using demo = await startDemo(scratch.path, ['--keep']);
      const browser = await enter(demo);

      // Orders wait for a person there, which `status` tells by its exit code.
      for (const { line, code, err, out } of await runPrinted(demo)) {
        expect({ line, code: line === 'status' ? 0 : code, err }).toEqual({ line, code: 0, err: '' });
        if (line.startsWith('trigger')) expect(out).not.toContain('tax record');
      }
      await until(async () => !(await statesIn(browser)).includes('queued'), { what: 'what was triggered to be processed' });
      expect(await statesIn(browser)).toEqual(['review', 'unconfirmed', 'waiting', 'recorded', 'resolved', 'removed', 'ignored']);
      expect(await readFile(/receipt +(\S+)/.exec(demo.out())?.[1] ?? '', 'utf8')).toContain('Soy wax candle');
      const filed = await fileLastMonth(browser);
      expect(filed).toEqual({ downloaded: 200, marked: 303 });
      expect(await finishStory(browser)).toContain('11 recorded');

      expect(await demo.stop()).toBe(0);
      const [, dataDir = ''] = /cd (\S+) && \.\/orderbridge start$/m.exec(demo.out()) ?? [];
      await using program = await Program.prepare({ DATA_DIR: dataDir });
      const server = await program.start();
      const again = await fetch(`${server.url}/console/orders?state=recorded`, { headers: { cookie: browser.cookie } });
      expect(await again.text()).toContain('>2020</a>');
      expect(await server.stop()).toBe(0);
    },
  );

  longTest('ends at Ctrl-C before it has begun, in words, and leaves nothing behind', async () => {
    await using scratch = await scratchDir();
    await using demo = await startDemo(scratch.path, []);
    await until(() => demo.out().includes('orderbridge demo'), { what: 'the first words' });

    expect(await demo.stop()).toBe(130);

    expect(demo.err()).toContain('the demo was stopped before its end');
    expect((await readdir(scratch.path)).filter((name) => name.startsWith('orderbridge-demo'))).toEqual([]);
  });
});

/** The demo as a person starts it, with its temporary folders in one of ours. */
async function startDemo(tmp: string, args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [BUILT, 'demo', ...args], { cwd: root, env: { PATH, HOME, TMPDIR: tmp, PORT: '0' } });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  const closed = once(child, 'close');
  const stop = async (): Promise<unknown> => {
    if (child.exitCode === null) child.kill('SIGINT');
    const [code] = await closed;
    return code;
  };
  return { out: () => said.out, err: () => said.err, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Opens the address that is printed, which signs in. */
async function enter(demo: Demo): Promise<EnteringBrowser> {
  const printed = () => /^ {2}(http:\/\/127\.0\.0\.1:\d+)\/console$/m.exec(demo.out())?.[1] ?? '';
  const address = await until(printed, { what: 'the address of the console', timeoutMs: 120_000 });
  const browser = new EnteringBrowser(address, { 'sec-fetch-site': 'none' });
  const { location } = await browser.get('/console');
  expect(await browser.get(location ?? '')).toMatchObject({ status: 303, location: '/console' });
  return browser;
}

type Printed = { line: string; code: number; err: string; out: string };

/** Types what is printed to be typed, in the folder that is printed. */
async function runPrinted(demo: Demo): Promise<Printed[]> {
  const [, cwd = ''] = /^ {2}cd (\S+)/m.exec(demo.out()) ?? [];
  const lines = [...demo.out().matchAll(/^ {2}\.\/orderbridge (.+?)(?: {3}\(.*)?$/gm)].map(([, line = '']) => line);
  expect(lines).toEqual(expect.arrayContaining(['status', 'orders', 'review', 'connections', 'doctor']));
  const ran: Printed[] = [];
  for (const line of lines) ran.push({ line, ...(await run(join(cwd, 'orderbridge'), { args: line.split(' '), cwd })) });
  return ran;
}

/** The states that some order has, in the order in which the console shows them. */
async function statesIn(browser: EnteringBrowser): Promise<string[]> {
  const { text } = await browser.get('/console/orders');
  return [...text.matchAll(/\?state=(\w+)"[^>]*>[^<]*<span[^>]*>(\d+)</g)].flatMap(([, state = '', count]) => (count === '0' ? [] : [state]));
}

/** The month that is to be filed: its file, and that it was filed. */
async function fileLastMonth(browser: EnteringBrowser): Promise<{ downloaded: number; marked: number }> {
  const board = (await browser.get('/console/months')).text;
  const months = [...board.matchAll(/href="(\/console\/months\/[\w-]+\/(\d{4}-\d\d))"/g)];
  const FILE = /href="(\/console\/months\/[\w/-]+\/files\/[^"]*xml[^"]*)"/;
  const pages = await Promise.all(months.map(async ([, path = '']) => ({ page: path, text: (await browser.get(path)).text })));
  const { page, text } = pages.find((one) => FILE.test(one.text) && one.text.includes(`action="${one.page}/filed"`)) ?? { page: '', text: '' };
  const [, file = ''] = FILE.exec(text) ?? [];
  const downloaded = (await browser.get(file)).status;
  const marked = await browser.post(`${page}/filed`, { ...formOf(text, `${page}/filed`), version: '1', incomingNumber: '2200И0099999' });
  return { downloaded, marked: marked.status };
}

/** As the printed text says: the answer, one order, then the others. What the page of the run says in the end. */
async function finishStory(browser: EnteringBrowser): Promise<string> {
  const issue = issueIn((await browser.get('/console/review')).text, 'econt_pay');
  const checked = await browser.post(issue, { ...hiddenIn((await browser.get(issue)).text, 'check'), 'value-0': 'POSTAL_PAYMENT' });
  const result = await until(() => shownAt(browser, checked.location, /Order \S+ is recorded/), { what: 'one order' });
  const released = await browser.post(issue, { ...hiddenIn(result, 'rest') });
  return until(() => shownAt(browser, released.location, /11 recorded/), { what: 'the others' });
}

async function shownAt(browser: EnteringBrowser, path: string | null, words: RegExp): Promise<string> {
  const { text } = await browser.get(path ?? '');
  return words.test(text) ? text : '';
}

/** The coffee shop, with a wrong expectation of its first order. */
function oneWrong(): DemoStore {
  const store = demoStores(demoTime(Date.now())).find(({ platform }) => platform === 'standard');
  const [first, ...others] = store?.stories ?? [];
  if (store === undefined || first === undefined) throw new Error('the demo has no standard store with orders');
  return { ...store, stories: [{ ...first, ends: { ...first.ends, total: '15.06' } }, ...others] };
}

/** The table's rows, the words of what happened left out. */
function rowsOf(out: string): string[] {
  return [...out.matchAll(/^([✓✗]) {2}(shopify|woocommerce|standard) (\S+) {2,}.*? {2,}(\S.*?) {2,}(\S+) +\S+$/gm)].map(
    ([, sign, platform, number, state, recorded]) => `${sign} ${platform} ${number}: ${state}, ${recorded}`,
  );
}

type Ran = { code: number; out: string; err: string };

function npm(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  return run('npm', { args, env, cwd: root });
}

function run(program: string, { args, cwd, env = {} }: { args: readonly string[]; cwd: string; env?: Record<string, string> }): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env: { PATH, HOME, ...env }, maxBuffer: 1_000_000 }, (error, out, err) => {
      if (error === null) resolve({ code: 0, out, err });
      else if (typeof error.code === 'number') resolve({ code: error.code, out, err });
      else reject(error);
    });
  });
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
