import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '../../support/long-test.ts';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { BUILT } from '../../support/servers/built-program.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { Program } from '../../support/servers/program.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { keepRunning, startCliWorld } from '../../support/worlds/cli-world.ts';

const secret = `whsec_${'A'.repeat(43)}=`;

let program: Program;
let postgres: AsyncDisposable;

beforeAll(async () => {
  program = await Program.prepare();
  postgres = await keepRunning(program);
});

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

test('an invalid configuration is reported whole, with exit code 78', async () => {
  const { code, out, err } = await program.run(['orders'], { env: { PORT: 'http', QUIET_SECONDS: '-1', COMPLIANCE_API_URL: 'https://api.example' } });

  expect({ code, out }).toEqual({ code: 78, out: '' });
  expect(err).toMatch(/PORT must be.+\n.*QUIET_SECONDS must be.+\n.*COMPLIANCE_AMOUNTS must be set/);
});

test.each([
  ['', 'orderbridge: standard output can’t be written: ENOSPC: no space left on device, write\n'],
  ['2>&1', ''],
])('a command whose output a full disk does not take ends with 1 %s', (to, words) => {
  const ended = spawnSync('sh', ['-c', `exec "$0" "$1" --help > /dev/full ${to}`, process.execPath, BUILT], { encoding: 'utf8', timeout: 30_000 });

  expect(ended).toMatchObject({ status: 1, stderr: words });
});

test('start with an invalid configuration ends with 78, too', async () => {
  expect(await program.spawn(['start', '--role', 'worker'])).toMatchObject({
    code: 78,
    err: expect.stringContaining('DATABASE_URL must be set for role worker'),
  });
});

test.each([
  ['start', 'spawn'],
  ['orders', 'run'],
] as const)('%s names the variable of a database that can’t be reached', async (command, how) => {
  const env = { DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`, ENCRYPTION_KEYS: 'ab'.repeat(32) };

  expect(await program[how]([command], { env })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^orderbridge: the database can't be used: .+; check DATABASE_URL/m),
  });
});

test('a misspelt variable is named by doctor', async () => {
  expect((await program.run(['doctor'], { env: { PUBIC_URL: 'https://bridge.example' } })).out).toMatch(
    /^note +configuration +PUBIC_URL is set, and nothing reads it; did you mean PUBLIC_URL\?$/m,
  );
});

test('doctor notes a limit of calls that is not below the lease of an order', async () => {
  const note = /^note +configuration +COMPLIANCE_TIMEOUT_SECONDS is not below LEASE_SECONDS/m;

  expect((await program.run(['doctor'], { env: { COMPLIANCE_TIMEOUT_SECONDS: '3' } })).out).toMatch(note);
  expect((await program.run(['doctor'], { env: { COMPLIANCE_TIMEOUT_SECONDS: '2.9' } })).out).not.toMatch(note);
});

test('status warns once of a file .env that others can read, and its mistakes are no health status', async () => {
  const file = join(program.dataDir, '.env');
  await writeFile(file, 'ADMIN_TOKEN=hunter2-hunter2-hunter2\n', { mode: 0o644 });
  const open = await program.run(['status']);
  await writeFile(file, 'hunter2\n');
  const wrong = await program.run(['status']);
  await rm(file);

  expect(open.err.match(/chmod 600 \.env/g)).toHaveLength(1);
  expect(wrong).toMatchObject({ code: 78, out: '', err: expect.stringContaining('.env line 1 is not NAME=value') });
});

longTest('a command that SIGTERM cuts off ends with 1', async () => {
  const connect = ['connect', '--platform', 'standard', '--name', 'cut', '--compliance-shop', randomUUID(), '--secret', '-'];
  const child = spawn(process.execPath, [BUILT, ...connect], { env: { ...process.env, DATA_DIR: program.dataDir }, cwd: program.dataDir });
  // Once it reads its input, it heeds signals.
  await new Promise((resolve) => child.stdin.write('x'.repeat(1_000_000), resolve));
  child.kill('SIGTERM');

  expect(await once(child, 'close')).toEqual([1, null]);
});

test('every command has a help', async () => {
  const help = await program.ok(['--help']);
  const names = [...help.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name ?? '').filter((name) => name !== 'help');

  const helps = await Promise.all(names.map((name) => program.run([name, '--help'])));

  expect(names).toContain('rotate-secret');
  expect(helps.map(({ code, err }) => ({ code, err }))).toEqual(names.map(() => ({ code: 0, err: '' })));
  expect(helps.map(({ out }) => out.split('\n')[0])).toEqual(names.map((name) => expect.stringMatching(`^Usage: orderbridge ${name} `)));
});

test('an unknown command and an unknown flag are errors', async () => {
  expect(await program.run(['ordres'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Did you mean') });
  expect(await program.run(['orders', '--colour'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--help') });
});

test('without any work, drain ends at once', async () => {
  const { code, out } = await program.run(['drain', '--json']);

  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ drained: true, states: {}, inbox: 0, deliveries: 0, submissions: 0, pending: 0 });
});

test('a secret comes from standard input, and one that could never verify is refused', async () => {
  const connect = ['connect', '--platform', 'standard', '--name', 'corner', '--compliance-shop', randomUUID()];

  const wrong = await program.run([...connect, '--secret', '-'], { stdin: 'hush\n' });
  const none = await program.run([...connect, '--secret', '-']);
  const noFile = await program.run([...connect, '--secret', '@nowhere']);
  const right = await program.spawn([...connect, '--secret', '-', '--json'], { stdin: `${secret}\n` });

  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('whsec_') });
  expect(wrong.err).not.toContain('hush-hush');
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('--secret is empty') });
  expect(noFile).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') });
  expect(JSON.parse(right.out)).toMatchObject({ connectionId: expect.stringMatching(/^c_/), webhookUrl: expect.stringContaining('/webhooks/standard/c_') });
});

test.each([
  ['a shop that is no UUID', ['--platform', 'standard', '--compliance-shop', 'mine'], '--compliance-shop is not a UUID'],
  ['a key without its secret', ['--platform', 'standard', '--compliance-shop', randomUUID(), '--compliance-key', 'k'], '--compliance-secret go together'],
  ['a store that can’t be asked', ['--platform', 'standard', '--compliance-shop', randomUUID(), '--consumer-key', 'k', '--consumer-secret', 's'], 'leave out'],
  [
    'a key without an address',
    ['--platform', 'woocommerce', '--compliance-shop', randomUUID(), '--consumer-key', 'k', '--consumer-secret', 's'],
    'give all three',
  ],
  ['no address', ['--platform', 'woocommerce', '--compliance-shop', randomUUID(), '--store-url', 'shop.example'], 'https://'],
  [
    'two secrets on one input',
    ['--platform', 'woocommerce', '--compliance-shop', randomUUID(), '--consumer-secret', '-'],
    "can't both come from standard input",
  ],
])('connect refuses %s', async (_what, flags, words) => {
  const given = flags.includes('-') ? '-' : secret;

  expect(await program.run(['connect', '--name', 'corner', '--secret', given, ...flags])).toMatchObject({ code: 1, err: expect.stringContaining(words) });
});

test('a Shopify store is known by its domain from the start', async () => {
  const connect = ['connect', '--platform', 'shopify', '--secret', 'hush-hush', '--json'];

  await program.ok([...connect, '--name', 'Corner.myshopify.com', '--compliance-shop', randomUUID()]);
  await program.ok([...connect, '--name', 'Ъгъл', '--store-url', 'https://ygal.myshopify.com/admin', '--compliance-shop', randomUUID()]);

  const stores = await program.json<{ store: string | null; platform: string }[]>(['connections']);
  expect(stores.filter(({ platform }) => platform === 'shopify').map(({ store }) => store)).toEqual(['corner.myshopify.com', 'ygal.myshopify.com']);
  expect(await program.json(['reconnect', 'Ъгъл', '--store-url', 'https://other.myshopify.com'])).toMatchObject({
    ...{ gaps: [], otherStore: false, quarantinedHost: 'other.myshopify.com' },
  });
});

test('connect names the custom topics beside those of every order', async () => {
  const connect = ['connect', '--platform', 'woocommerce', '--name', 'Ъгъл', '--secret', 'hush-hush'];

  const text = await program.ok([...connect, '--compliance-shop', randomUUID()]);
  const { topics, alsoTopics } = JSON.parse(await program.ok([...connect, '--compliance-shop', randomUUID(), '--json']));

  expect(text).toContain(`\n   ${topics.join(', ')}\n   also: ${alsoTopics.join(', ')}\n`);
  expect([topics, alsoTopics]).toEqual([expect.arrayContaining(['order.updated']), expect.arrayContaining(['action.woocommerce_delete_order'])]);
});

longTest('webhooks that a killed server accepted are drained by the command line alone', async () => {
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await using server = await program.start({ QUIET_SECONDS: '3' });
  const args = ['connect', '--platform', 'standard', '--name', 'killed', '--secret', secret, '--compliance-shop', shop, '--json'];
  const { connectionId, webhookUrl } = JSON.parse(await program.ok(args));
  const now = new Date().toISOString();
  const body = JSON.stringify({ type: 'order.paid', timestamp: now, data: { order: orderOf('1', { paidAt: now }) } });
  const { status } = await fetch(webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) });
  const late = await program.run(['drain', '--timeout', '0.2', '--json']);
  await server.stop('SIGKILL');

  const { code, out } = await program.run(['drain', '--timeout', '60', '--json']);

  expect(status).toBe(200);
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining('not drained within 0.2 s') });
  expect({ code, drained: JSON.parse(out) }).toMatchObject({ code: 0, drained: { drained: true, states: { recorded: 1 } } });
  expect(await program.json(['order', connectionId, '1'])).toMatchObject({ state: 'recorded' });
});

longTest('without its Redis the server starts, says so, and ends in time', async () => {
  await using alone = await startCliWorld({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
  const server = await alone.program.start();
  const { status } = await fetch(`${server.url}/readyz`);

  const began = performance.now();
  const code = await server.stop();

  expect({ status, code }).toEqual({ status: 503, code: 0 });
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('commands that need the queue say that it is down', async () => {
  await using alone = await startCliWorld({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });

  expect(await alone.program.run(['doctor'])).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +queue +no answer .+check REDIS_URL/m) });
  expect(await alone.program.run(['drain', '--timeout', '2'])).toMatchObject({ code: 1, err: expect.stringContaining('check REDIS_URL') });
});

test('doctor ends where Redis takes connections and does not answer', async () => {
  await using redis = await startRedis();
  await using alone = await startCliWorld({ REDIS_URL: redis.url });
  process.kill(redis.pid(), 'SIGSTOP');

  const { code, out } = await alone.program.run(['doctor']);

  expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^WRONG +queue +no answer .+check REDIS_URL/m) });
});

test('a reader that closes the pipe early, such as head, does not make it fail', async () => {
  const child = spawn(process.execPath, [BUILT, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);

  expect({ code, err }).toEqual({ code: 0, err: '' });
});
