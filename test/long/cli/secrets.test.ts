import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

const GOOD = `whsec_${'A'.repeat(43)}=`;
const insecure = {
  COMPLIANCE_API_URL: 'http://compliance.invalid',
  COMPLIANCE_API_KEY: 'key-of-the-environment',
  COMPLIANCE_API_SECRET: 'secret-of-the-environment',
  COMPLIANCE_AMOUNTS: 'decimal',
};

let postgres: TestPostgres;
let program: Program;
beforeAll(async () => {
  postgres = await startPostgres('whole');
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS });
  await writeFile(join(program.dataDir, 'secret.txt'), `${GOOD}\n`);
  await writeFile(join(program.dataDir, 'long.txt'), 'long enough\n');
  await writeFile(join(program.dataDir, 'weak.txt'), '1234567\n');
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** Its shop is there, unless another id is given. */
const connect = async (platform: string, secret: string, shop?: string) => [
  'connect',
  '--platform',
  platform,
  '--name',
  'corner',
  '--secret',
  secret,
  '--compliance-shop',
  shop ?? (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim(),
];

test('finding 11: a secret on the command line is warned about once, on stderr; from a file or standard input it is not', async () => {
  const keys = ['--store-url', 'https://corner.invalid', '--consumer-key', 'ck_1', '--consumer-secret', 'cs_1'];
  const literal = await program.run([...(await connect('woocommerce', 'long enough')), ...keys, '--json']);
  const files = await program.run([...(await connect('standard', '@secret.txt')), '--json']);
  const piped = await program.run([...(await connect('standard', '-')), '--json'], { stdin: GOOD });
  const { connectionId } = JSON.parse(files.out);

  // Beside it, that there is no such store.
  const warned = literal.err.split('\n').filter((line) => !line.startsWith('! corner.invalid'));
  expect(warned.join('\n')).toMatch(/^Warning: --secret, --consumer-key, --consumer-secret were given on the command line, where `ps`.*\n$/);
  expect(literal.err).not.toMatch(/long enough|ck_1|cs_1/);
  expect([literal.code, JSON.parse(literal.out)]).toEqual([0, expect.objectContaining({ platform: 'woocommerce' })]);
  expect([files.code, files.err, piped.code, piped.err]).toEqual([0, '', 0, '']);
  expect(await program.run(['rotate-secret', connectionId, '--secret', GOOD])).toMatchObject({ code: 0, err: expect.stringContaining('--secret was given') });
  expect(await program.run(['rotate-secret', connectionId, '--secret', '@secret.txt'])).toMatchObject({ code: 0, err: '' });
});

test.for(['shopify', 'woocommerce', 'standard'])(
  'finding 11: a webhook secret under 8 characters is refused by connect, reconnect and rotate-secret (%s)',
  async (platform) => {
    const live = await program.run([...(await connect(platform, platform === 'standard' ? '@secret.txt' : '@long.txt')), '--json']);
    const { connectionId } = JSON.parse(live.out);

    const answers = [
      await program.run(await connect(platform, '@weak.txt', randomUUID())),
      await program.run(['reconnect', connectionId, '--secret', '@weak.txt']),
      await program.run(['rotate-secret', connectionId, '--secret', '@weak.txt']),
    ];

    for (const answer of answers)
      expect(answer).toMatchObject({ code: 1, out: '', err: expect.stringMatching(platform === 'standard' ? /whsec_/ : /fewer than 8 characters/) });
  },
);

test('finding 11: the keys of a store’s API are not taken for an address over http that may be public', async () => {
  const keys = ['--consumer-key', '@long.txt', '--consumer-secret', '@long.txt'];
  const store = ['--store-url', 'http://corner.invalid'];

  const refused = await program.run([...(await connect('woocommerce', '@long.txt')), ...store, ...keys]);
  const trusted = await program.run([...(await connect('woocommerce', '@long.txt')), ...store, ...keys, '--json'], {
    env: { TRUSTED_HTTP_HOSTS: 'corner.invalid' },
  });
  const alone = await program.run([...(await connect('woocommerce', '@long.txt')), ...store, '--json']);
  const { connectionId } = JSON.parse(alone.out);
  const later = await program.run(['reconnect', connectionId, ...store, ...keys]);

  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/corner\.invalid is called over http:.*TRUSTED_HTTP_HOSTS/) });
  expect(trusted.code).toBe(0);
  expect(later).toMatchObject({ code: 1, err: expect.stringContaining('TRUSTED_HTTP_HOSTS') });
  // Trusted no more: what was given then is told about.
  const listed = await program.json<{ connectionId: string; warnings: string[] }[]>(['connections']);
  expect(listed.find((one) => one.connectionId === JSON.parse(trusted.out).connectionId)?.warnings).toContainEqual(
    expect.stringMatching(/store’s API is not called: corner\.invalid is called over http:/),
  );
  expect((await program.run(['doctor'])).out).toMatch(/WRONG +secrets +c_\w+: the store’s API is not called/);
});

test('finding 11: a compliance API over http that may be public keeps nothing from starting; commands that would send a key refuse, and doctor says why', async () => {
  await using other = await Program.prepare({ ...insecure, DATABASE_URL: await postgres.createDatabase('whole'), ENCRYPTION_KEYS });
  await writeFile(join(other.dataDir, 'long.txt'), 'long enough\n');
  await other.start();

  const words = expect.stringMatching(/compliance\.invalid is called over http:.*TRUSTED_HTTP_HOSTS/);
  const connected = await connect('shopify', '@long.txt', randomUUID());
  expect(await other.run(connected)).toMatchObject({ code: 1, out: '', err: words });
  expect(await other.run([...connected, '--compliance-key', '@long.txt', '--compliance-secret', '@long.txt'])).toMatchObject({ code: 1, err: words });
  expect(await other.run(['shop', 'delete', randomUUID(), '--name', 'corner'])).toMatchObject({ code: 1, err: words });
  const doctor = await other.run(['doctor']);
  expect(doctor.code).toBe(1);
  expect(doctor.out).toMatch(/WRONG +compliance API +the configured key: compliance\.invalid is called over http:/);
});

test('an existing weak secret goes on working, and is warned about', async () => {
  const doctor = await program.run(['doctor'], { env: { SHOPIFY_APP_SECRET: 'hush' } });

  expect(doctor.out).toMatch(/note +secrets +SHOPIFY_APP_SECRET has fewer than 8 characters/);
});
