import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { joinInspector } from './inspector.ts';

export type Touched = {
  /** What V8 saw run from the webhook to the record, without the compliance service. */
  files: number;
  functions: number;
  /** Of these files. */
  lines: number;
  /** Files of `src` that `orderbridge release` loads beside a running server. */
  loadedByRelease: number;
};

const SECRET = 'not a secret';
const SHOP = 'corner.myshopify.com';
const FIXTURE = join(import.meta.dirname, '../../test/fixtures/shopify/order-paid-eur-incl-mixed-rates.json');
const SHOP_FIELDS = {
  ...{ name: 'Corner', domain: 'corner.example', 'customer-phone': '+359888123456', 'customer-email': 'shop@corner.example', 'nra-number': 'RF0001234' },
  ...{ 'company-uic': '200000015', 'company-name': 'Corner OOD', 'company-address': '1 Shipka St, Sofia' },
};

/** Runs the program of `root` on its embedded defaults, and sends one paid order. */
export async function touchedByWebhook(root: string): Promise<Touched> {
  const directory = mkdtempSync(join(tmpdir(), 'figures-'));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: directory, PORT: '0', QUIET_SECONDS: '0', SWEEP_SECONDS: '600', BNB_RATES_URL: 'off' };
  const program = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(root, 'src/main.ts'), 'start'], {
    env,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    using inspector = await joinInspector(program.stderr);
    const command = commandOf(root, env);
    const address = await connectedStore(command, directory);
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await inspector.take();
    await sendOrder(address);
    while ((await command('orders', '--state', 'recorded')).length === 0) await sleep(100);
    const src = join(root, 'src');
    return { ...counted(await inspector.take(), src), loadedByRelease: await loadedBy(['release', SHOP, '1'], { root, env, src }) };
  } finally {
    program.kill('SIGTERM');
    if (program.exitCode === null) await once(program, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
}

type Command = (...args: string[]) => Promise<Record<string, string>[] & Record<string, string>>;

function commandOf(root: string, env: NodeJS.ProcessEnv): Command {
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/main.ts'), ...args, '--json'], { env, cwd: env['DATA_DIR'] });
    return JSON.parse(stdout);
  };
}

async function connectedStore(command: Command, directory: string): Promise<string> {
  await untilReady(directory);
  const shop = await command('shop', 'create', ...Object.entries(SHOP_FIELDS).flatMap(([name, value]) => [`--${name}`, value]));
  const settings = join(directory, 'settings.json');
  writeFileSync(settings, JSON.stringify({ vatGroups: { 9: 'GROUP_D' }, recordFrom: '2020-01-01T00:00:00Z' }));
  const options = { platform: 'shopify', name: SHOP, secret: SECRET, 'compliance-shop': String(shop['id']), settings };
  const connected = await command('connect', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]));
  return String(connected['webhookUrl']);
}

const READY_MS = 60_000;

async function untilReady(directory: string): Promise<void> {
  const until = performance.now() + READY_MS;
  while (!existsSync(join(directory, 'server.json'))) {
    if (performance.now() > until) throw new Error('the program was not ready within a minute; start it by hand to see why');
    await sleep(100);
  }
}

async function sendOrder(address: string): Promise<void> {
  const body = readFileSync(FIXTURE);
  const { status } = await fetch(address, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'orders/paid',
      'x-shopify-shop-domain': SHOP,
      'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
      'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
    },
  });
  if (status !== 200) throw new Error(`the webhook was answered ${status}`);
}

/** Whatever the command answers: that order needs nobody. */
async function loadedBy(args: readonly string[], { root, env, src }: { root: string; env: NodeJS.ProcessEnv; src: string }): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'figures-'));
  try {
    spawnSync(process.execPath, [join(root, 'src/main.ts'), ...args], { env: { ...env, NODE_V8_COVERAGE: directory }, cwd: env['DATA_DIR'] });
    const urls = readdirSync(directory).flatMap((name) => loaded.parse(JSON.parse(readFileSync(join(directory, name), 'utf8'))).result.map(({ url }) => url));
    return new Set(urls.filter((url) => isIn(src, url))).size;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const loaded = z.object({ result: z.array(z.object({ url: z.string() })) });

function isIn(folder: string, url: string): boolean {
  return url.startsWith('file:') && fileURLToPath(url).startsWith(`${folder}${sep}`);
}

function counted(scripts: Awaited<ReturnType<Awaited<ReturnType<typeof joinInspector>>['take']>>, src: string): Omit<Touched, 'loadedByRelease'> {
  const own = scripts.filter(({ url, functions }) => isIn(src, url) && !isIn(join(src, 'service'), url) && functions.some(ran));
  return {
    files: own.length,
    functions: own.reduce((sum, { functions }) => sum + functions.filter(ran).length, 0),
    lines: own.reduce((sum, { url }) => sum + readFileSync(fileURLToPath(url), 'utf8').split('\n').length - 1, 0),
  };
}

function ran({ ranges }: { ranges: { count: number }[] }): boolean {
  return (ranges[0]?.count ?? 0) > 0;
}
