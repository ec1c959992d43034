import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

const SECRET = 'shpss_0123456789abcdef';
const env = { PUBLIC_URL: 'https://bridge.example' };
const add = (id: string, ...flags: string[]) => ['shopify-app', 'add', id, '--client-id', `client-of-${id}`, '--secret', '@secret.txt', ...flags];

type Listed = { app: string; kind: string; connections: number; oldSecretUntil: string | null; webhookUrl: string | null };

test('apps are added, listed, printed, given a new secret and removed by commands, and no secret is printed', { timeout: 300_000 }, async () => {
  await using world = await startCliWorld();
  const { program } = world;
  await writeFile(join(program.dataDir, 'secret.txt'), `${SECRET}\n`);
  expect(await program.ok(['shopify-app', 'list'])).toBe('There is no app yet: `orderbridge shopify-app add` keeps one.\n');

  const added = await program.ok(add('corner', '--kind', 'custom'), { env });
  expect(added).toContain('https://bridge.example/webhooks/shopify/app/corner\n');
  expect(added).toContain('https://bridge.example/shopify/install?app=corner\n');
  expect(added).toContain('`orderbridge shopify-app print corner`');
  const unnamed = await program.run([...add('vendor', '--kind', 'public', '--scope', 'read_orders', '--scope', 'read_all_orders'), '--json']);
  expect(JSON.parse(unnamed.out)).toEqual({ app: 'vendor', webhookUrl: null, installUrl: null, callbackUrl: null, installLink: null });

  const listed = await program.ok(['shopify-app', 'list']);
  expect(listed).toMatch(/corner +custom +client-of-corner +read_orders +0 /);
  expect(listed).toMatch(/vendor +public +client-of-vendor +read_orders read_all_orders +0 /);
  expect(await program.run(['shopify-app', 'list', '--json'], { env })).toMatchObject({ code: 0 });
  expect(await program.json<Listed[]>(['shopify-app', 'list'])).toMatchObject([
    { app: 'corner', kind: 'custom', connections: 0, oldSecretUntil: null, webhookUrl: null },
    { app: 'vendor' },
  ]);

  const printed = parse(await program.ok(['shopify-app', 'print', 'vendor'], { env }));
  expect(printed).toMatchObject({
    client_id: 'client-of-vendor',
    application_url: 'https://bridge.example/shopify/install',
    access_scopes: { scopes: 'read_orders,read_all_orders' },
    auth: { redirect_urls: ['https://bridge.example/shopify/callback'] },
  });
  expect(await program.run(['shopify-app', 'print', 'vendor'])).toMatchObject({ code: 78, out: '', err: expect.stringContaining('PUBLIC_URL is not set') });

  const rotated = await program.run(['shopify-app', 'rotate-secret', 'corner', '--secret', 'shpss_of_the_line']);
  expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/both secrets are valid until/), err: expect.stringContaining('--secret was given') });
  expect((await program.json<Listed[]>(['shopify-app', 'list']))[0]?.oldSecretUntil).toMatch(/^\d{4}-/);
  expect(await program.ok(['shopify-app', 'rotate-secret', 'corner', '--secret', '-', '--revoke-now'], { stdin: 'shpss_of_the_pipe' })).toContain(
    'accepts only the new secret',
  );

  const refusals: [string[], string][] = [
    [add('corner', '--kind', 'custom'), 'there is an app corner already; `orderbridge shopify-app rotate-secret corner`'],
    [['shopify-app', 'add', 'two', '--client-id', 'client-of-corner', '--secret', '@secret.txt', '--kind', 'own'], 'is there already, as corner'],
    [add('Corner', '--kind', 'custom'), 'can’t be the name of an app'],
    [add('c', '--kind', 'odd'), '--kind'],
    [add('c'), '--kind'],
    [add('c', '--kind', 'own', '--scope', 'read_products'), 'without the scope read_orders'],
    [['shopify-app', 'add', 'c', '--client-id', 'x', '--secret', '1234567', '--kind', 'own'], 'fewer than 8 characters'],
    [['shopify-app', 'rotate-secret', 'corner', '--secret', '1234567'], 'fewer than 8 characters'],
    [['shopify-app', 'print', 'cornre'], 'there is no app cornre; did you mean corner?'],
    [['shopify-app', 'remove', 'nobody'], '`orderbridge shopify-app list` shows them'],
  ];
  for (const [args, words] of refusals) {
    const { code, err } = await program.run(args, { env });
    expect([args, code, err]).toEqual([args, expect.any(Number), expect.stringContaining(words)]);
    expect(code).not.toBe(0);
  }

  expect(await program.ok(['shopify-app', 'remove', 'vendor', '--why', 'given up'])).toContain('The app vendor is removed');
  expect((await program.json<Listed[]>(['shopify-app', 'list'])).map(({ app }) => app)).toEqual(['corner']);
  expect(await program.run(add('vendor', '--kind', 'own').map((arg) => (arg === 'client-of-vendor' ? 'x' : arg)))).toMatchObject({
    code: 1,
    err: expect.stringContaining('vendor was the name of another app'),
  });
  const acts = await program.json<{ act: string }[]>(['activity']);
  expect(acts.map(({ act }) => act).reverse()).toEqual(['app.added', 'app.added', 'app.secret-rotated', 'app.secret-rotated', 'app.removed']);
  expect(JSON.stringify([added, unnamed, listed, printed, rotated, acts])).not.toMatch(/shpss/);
});
