import { randomBytes } from 'node:crypto';
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { keepRunning } from '../../support/worlds/cli-world.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER_KEY = randomBytes(32).toString('hex');

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

const SLOW = { timeout: 180_000 };

type Connected = { connectionId: string; webhookUrl: string };

function connect(shop: string): string[] {
  return ['connect', '--platform', 'standard', '--name', 'corner', '--secret', '-', '--compliance-shop', shop];
}

async function shopOf(program: Program): Promise<string> {
  return (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
}

function dotEnv(program: Program, text: string): Promise<void> {
  return writeFile(join(program.dataDir, '.env'), text, { mode: 0o600 });
}

test('commands print the server’s PUBLIC_URL, and say which other settings differ', async () => {
  await using program = await Program.prepare({ DATABASE_URL: await postgres.createDatabase('whole'), ENCRYPTION_KEYS });
  const smtp = 'smtp://user:hunter2@127.0.0.1:9';
  const server = await program.start({ PUBLIC_URL: 'https://bridge.corner.bg', SMTP_URL: smtp, HOST: '127.0.0.1' });
  const shop = await shopOf(program);

  const { out, err } = await program.run([...connect(shop), '--json'], { stdin: SECRET });
  const { connectionId, webhookUrl } = JSON.parse(out) as Connected;

  expect(webhookUrl).toBe(`https://bridge.corner.bg/webhooks/standard/${connectionId}`);
  expect(err).toContain('Warning: this shell’s settings differ from the server’s (SMTP_URL).');
  const known = await program.run(['reconnect', connectionId, '--secret', '-'], { stdin: SECRET, env: { SMTP_URL: smtp } });
  expect(known).toMatchObject({ code: 0, out: expect.stringContaining('the same'), err: expect.not.stringContaining('settings differ') });
  const words = await program.run(['orders'], { env: { SMTP_URL: smtp, PUBLIC_URL: 'https://other.example', LOG_LEVEL: 'warn', PORT: '1' } });
  expect(words.err).toContain('settings differ from the server’s (PUBLIC_URL).');
  const entry = await readFile(join(program.dataDir, 'server.json'), 'utf8');
  for (const secret of ['hunter2', 'smtp:']) expect(entry).not.toContain(secret);
  expect(await server.stop()).toBe(0);
  expect((await program.run(['orders'])).err).toBe('');
});

test('`.env` of the working directory is read by start and the commands beside it; the environment wins', async () => {
  await using program = await Program.prepare({ DATABASE_URL: await postgres.createDatabase('whole'), ENCRYPTION_KEYS });
  await dotEnv(program, 'PUBLIC_URL=https://file.example\nMAIL_FROM=file@corner.example\n');
  await using server = await program.start({ MAIL_FROM: 'env@corner.example', HOST: '127.0.0.1' });
  const shop = await shopOf(program);

  const { out, err } = await program.run([...connect(shop), '--json'], { stdin: SECRET });

  expect((JSON.parse(out) as Connected).webhookUrl).toContain('https://file.example/webhooks/');
  expect(err).toContain('settings differ from the server’s (MAIL_FROM).');
  expect((await program.run(['orders'], { env: { MAIL_FROM: 'env@corner.example' } })).err).toBe('');
  await dotEnv(program, 'PUBLIC_URL\n');
  expect(await program.run(['orders'])).toEqual({ code: 78, out: '', err: expect.stringContaining('.env line 1 is not NAME=value') });
  expect(await program.run(['--help'])).toMatchObject({ code: 0, err: '' });
  expect(server.log.length).toBeGreaterThan(0);
});

describe('of a DATA_DIR with secrets', () => {
  let program: Program;
  let running: AsyncDisposable;
  let connectionId: string;
  beforeAll(async () => {
    program = await Program.prepare();
    running = await keepRunning(program);
    const connected = await program.ok([...connect(await shopOf(program)), '--json'], { stdin: SECRET });
    ({ connectionId } = JSON.parse(connected) as Connected);
  });
  afterEach(() => rm(join(program.dataDir, '.env'), { force: true }));
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
  });

  test('an ENCRYPTION_KEYS in .env that is another database’s is not taken, and that is said', async () => {
    await dotEnv(program, `ENCRYPTION_KEYS=${OTHER_KEY}\n`);

    const listed = await program.run(['connections', '--json']);

    expect(listed).toMatchObject({
      code: 0,
      err: expect.stringContaining(`ENCRYPTION_KEYS in .env are not the keys of ${program.dataDir}, so they are not used`),
    });
    expect(JSON.parse(listed.out)).toMatchObject([{ connectionId, warnings: [] }]);
    await using server = await program.start();
    expect(server.url).toContain('http');
  });

  test('an ENCRYPTION_KEYS of the environment that does not fit seals nothing, starts no server, and says how to put it back', async () => {
    const env = { ENCRYPTION_KEYS: OTHER_KEY };

    const changed = await program.run(['rotate-secret', connectionId, '--secret', '-'], { stdin: SECRET, env });
    const started = await program.spawn(['start'], { env });

    expect(changed).toMatchObject({ code: 1, out: '' });
    for (const err of [changed.err, started.err])
      expect(err).toMatch(/ENCRYPTION_KEYS lacks the key that the secrets in .+ were encrypted with, [0-9a-f]{8}: add the one/);
    expect(started.code).toBe(78);
    expect(JSON.parse(await program.ok(['connections', '--json']))).toMatchObject([{ warnings: [] }]);
  });

  test('a lost key file is not replaced by a new key', SLOW, async () => {
    const [file, aside] = [join(program.dataDir, 'encryption.key'), join(program.dataDir, 'aside')];
    await rename(file, aside);

    const { code, err } = await program.run(['connections']);

    expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining('no new key was made') });
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const key = (await readFile(aside, 'utf8')).trim();
    await dotEnv(program, `ENCRYPTION_KEYS=${key}\n`);
    expect(await program.run(['connections'])).toMatchObject({ code: 0, err: '' });
    await rm(join(program.dataDir, '.env'));
    await copyFile(aside, file);
    expect(await program.run(['connections'])).toMatchObject({ code: 0, err: '' });
  });
});

test('a key in .env is the key of a new DATA_DIR', async () => {
  await using program = await Program.prepare();
  await dotEnv(program, `ENCRYPTION_KEYS=${OTHER_KEY}\n`);

  await shopOf(program);

  await expect(readFile(join(program.dataDir, 'encryption.key'))).rejects.toThrow('ENOENT');
  expect(await program.run(['connections'])).toMatchObject({ code: 0, err: '' });
});
