import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type DemoStore, demoStores } from '../../src/demo/demo-stores.ts';
import { demoTime } from '../../src/demo/demo-time.ts';
import { runDemo } from '../../src/demo/run-demo.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';

const root = join(import.meta.dirname, '../..');

test('npm run demo -- --once plays every story to its right end, and leaves nothing behind', { timeout: 60_000 }, async () => {
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
    '✓ shopify #1008: parked: removal.unproven, 51.90',
    '✓ shopify #1009: ignored, -',
    '✓ shopify #1010: refused, -',
    '✓ woocommerce 2001: recorded, 53.90',
    '✓ woocommerce 2002: recorded, 17.96',
    '✓ woocommerce 2003: recorded, 22.50',
    '✓ woocommerce 2004: recorded, 30.00',
    '✓ woocommerce 2005: recorded, 32.00',
    '✓ woocommerce 2006: parked: refund.unattributed, 48.00',
    '✓ woocommerce 2007: waiting, -',
    '✓ woocommerce 2008: recorded, 12.00',
    '✓ woocommerce 2009: parked: payment.unmapped, -',
    '✓ standard 3001: recorded, 15.05',
    '✓ standard 3002: recorded, 21.00',
    '✓ standard 3003: recorded, 67.40',
    '✓ standard 3004: parked: total.mismatch, -',
  ]);
  expect(out).toContain('23 of 23 orders ended as they should.');
  expect((await readdir(scratch.path)).filter((name) => name.startsWith('orderbridge'))).toEqual([]);
});

test('an order that ends with a wrong total is reported, and the demo fails', { timeout: 60_000 }, async () => {
  const stdout = new Collected();
  const context = { args: [], env: { PORT: '0' }, cwd: root, stdin: Readable.from([]), stdout, stderr: new Collected(), signal: new AbortController().signal };

  const ended = runDemo(context, { once: true, stores: [oneWrong()] });

  await expect(ended).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('1 of 4 orders did not end as they should') });
  expect(stdout.text).toContain('✗ standard 3001: 15.05 is recorded, and should be 15.06');
  expect(stdout.text).toContain('3 of 4 orders ended as they should.');
});

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
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve, reject) => {
    execFile('npm', args, { cwd: root, env: { PATH, HOME, ...env }, maxBuffer: 1_000_000 }, (error, out, err) => {
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
