import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { SHOP_FLAGS } from '../support/samples/shop-flags.ts';
import type { StorefrontSamples } from '../support/samples/storefront-samples.ts';
import { compiled } from '../support/servers/compiled.ts';
import { type PlantedTree, plantTree } from '../support/servers/planted-tree.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { Program } from '../support/servers/program.ts';
import { runTool } from '../support/servers/run-tool.ts';
import { startStoreApi } from '../support/servers/store-api.ts';
import { ENCRYPTION_KEYS } from '../support/worlds/bridge.ts';

/**
 * The worked example of CONTRIBUTING, tried: a checkout to which a storefront is added by its own files, a line of the registry, and what `connect` asks for. It differs in kind from those
 * that exist: signed by a private key, named by its body, called with a token.
 */
const repository = join(import.meta.dirname, '../..');
const example = join(repository, 'test/fixtures/added-storefront');
const REGISTRY = 'src/bridge/storefronts/registry.ts';
const OPTIONS = 'src/bridge/storefronts/connect-options.ts';
const HOMES = ['src/bridge/storefronts/acme', 'test/fixtures/acme', 'test/unit/bridge/storefronts/acme'];
const LINE = "  acme: (await import('./acme/acme.ts')).acme,\n";
const ENTRY = `  acme: {
    api: {
      words: 'with the token, the rows of refunds are fetched from it (Acme)',
      credentials: {
        accessToken: {
          placeholder: 'token',
          words: 'token of the store’s API, with the right to read sales',
          bg: 'ключ за API на магазина с право да чете продажби',
        },
      },
    },
  },
`;
const CHECKOUT = [
  ...['src', 'test', 'scripts', 'docs', 'bench', 'bin', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts', 'biome.json', 'knip.json', 'eleventy.config.ts', '.dependency-cruiser.mjs'],
];

/** A program is started from its sources. */
const TIMEOUT_MS = 120_000;

let tree: PlantedTree;

beforeAll(async () => {
  const own = globSync('**/*.{ts,md}', { cwd: example }).map((path) => [path, readFileSync(join(example, path), 'utf8')] as const);
  const withLines = (path: string, lines: string) => readFileSync(join(repository, path), 'utf8').replace('} as const', `${lines}} as const`);
  const tables = { [REGISTRY]: withLines(REGISTRY, LINE), [OPTIONS]: withLines(OPTIONS, ENTRY) };
  tree = await plantTree({ ...Object.fromEntries(own), ...tables }, CHECKOUT);
});
afterAll(() => tree[Symbol.asyncDispose]());

test('its files are its own folder and fixtures', () => {
  expect(globSync('**/*.*', { cwd: example }).filter((path) => !HOMES.includes(dirname(path)))).toEqual([]);
  expect(readFileSync(join(tree.root, REGISTRY), 'utf8')).toContain(LINE);
  expect(readFileSync(join(tree.root, OPTIONS), 'utf8')).toContain(ENTRY);
});

test('the gates report nothing', async () => {
  const gates = { tsc: ['--noEmit'], biome: ['check', ...HOMES], depcruise: ['--config', '.dependency-cruiser.mjs', 'src'], knip: [] };

  const ran = await Promise.all(Object.entries(gates).map(async ([tool, args]) => ({ tool, ...(await runTool(tool, args, tree.root)) })));

  expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
});

const report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })) });

test('it passes the battery with full coverage, and is in the docs that are made from the code', async () => {
  const docs = await runTool('node', ['scripts/generate-docs.ts'], tree.root);
  const batteries = ['test/contract/storefronts.test.ts', 'test/contract/relabelled-webhooks.test.ts'];
  const tests = [...batteries, 'test/unit/bridge/storefronts/acme', 'test/architecture/platform-names.test.ts'];
  const coverage = ['--coverage', '--coverage.include=src/bridge/storefronts/acme/**'];
  const ran = await runTool('vitest', ['run', ...tests, ...coverage, '--cache=false', '--fsModuleCache=false'], tree.root);

  expect([docs, ran], ran.output).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { testResults } = report.parse(JSON.parse(await read('reports/some-tests.json')));
  const ofBattery = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ fullName }) => fullName.startsWith('acme as every storefront'));
  expect(ofBattery.length).toBeGreaterThan(20);
  expect(ofBattery.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(await read('docs/reference/commands.md')).toMatch(/"acme"\)[\s\S]*--access-token <token>/);
  expect(await read('docs/reference/settings.md')).toContain('| Acme Pay (acme) | `acme-pay`, `acme-pay-later` |');
});

test('a store of it is connected, its sale recorded, and the rows of its refund fetched', { timeout: TIMEOUT_MS }, async () => {
  const { samples }: { samples: StorefrontSamples } = await import(join(tree.root, 'test/fixtures/acme/battery.ts'));
  const rows = [{ id: 1, quantity: 1, cents: 2400 }];
  await using api = await startStoreApi(() => ({ status: 200, body: [{ id: 5, at: 1_795_250_060, cents: 2400, rows }] }));
  await using postgres = await startPostgres('whole');
  const env = { ...compiled(), ALLOW_PRIVATE_ADDRESSES: 'true', DATABASE_URL: postgres.url, ENCRYPTION_KEYS };
  await using program = await Program.prepare(env, join(tree.root, 'src/main.ts'));
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await program.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z', vatGroups: { '9': 'GROUP_D' } });
  await program.start();
  const store = ['--platform', 'acme', '--name', 'Corner', '--secret', samples.secret, '--store-url', api.url, '--access-token', '-'];

  const connected = await program.spawn(['connect', ...store, '--compliance-shop', shop, '--settings', 'settings.json', '--json'], { stdin: 't_1\n' });
  const { connectionId, webhookUrl }: { connectionId: string; webhookUrl: string } = JSON.parse(connected.out);
  for (const { topic, body } of samples.orders.slice(0, 2)) {
    const delivery = samples.sign({ topic, bytes: Buffer.from(JSON.stringify(body)) }, samples.secret);
    const { status } = await fetch(webhookUrl, { method: 'POST', body: new Uint8Array(delivery.body), headers: Object.fromEntries(delivery.headers) });
    expect(status).toBe(200);
  }
  await program.ok(['drain']);

  const { out } = await program.spawn(['order', connectionId, '1042', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    store: 'corner-sofia',
    state: 'recorded',
    recordedTotal: '39.00',
    record: { internalNumber: 'A-1042', paymentProcessorName: 'Acme Pay', transactionId: 'ap_1' },
  });
  expect(api.asked).toContainEqual({ path: '/v2/sales/1042/refunds', authorization: 'Bearer t_1' });
});

function read(path: string): Promise<string> {
  return readFile(join(tree.root, path), 'utf8');
}
