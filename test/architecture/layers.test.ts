import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { plantTree } from '../support/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');
const options = await extractDepcruiseOptions(join(repository, '.dependency-cruiser.mjs'));

type Plant = { rule: string; file: string; imports: string; typeOnly?: true };

/** One import per row; its file breaks the named rule. Targets that are not listed as a file here are written empty. */
const plants: Plant[] = [
  { rule: 'domain-is-pure', file: 'src/domain/clock.ts', imports: 'node:fs' },
  { rule: 'domain-is-pure', file: 'src/domain/parsed.ts', imports: 'zod' },
  { rule: 'domain-is-pure', file: 'src/domain/known.ts', imports: '../config/config.ts', typeOnly: true },
  { rule: 'storefronts-import-little', file: 'src/storefronts/shopify/fetch.ts', imports: 'got' },
  { rule: 'storefronts-import-little', file: 'src/storefronts/shopify/disk.ts', imports: 'node:fs' },
  { rule: 'storefronts-are-islands', file: 'src/storefronts/shopify/borrow.ts', imports: '../woocommerce/payload.ts' },
  { rule: 'platforms-hide-behind-the-registry', file: 'src/intake/shortcut.ts', imports: '../storefronts/woocommerce/payload.ts' },
  { rule: 'platforms-hide-behind-the-registry', file: 'src/storefronts/contract.ts', imports: './woocommerce/payload.ts' },
  { rule: 'wire-is-only-vocabulary', file: 'src/compliance/wire/send.ts', imports: 'got' },
  { rule: 'client-imports-little', file: 'src/compliance/client/disk.ts', imports: 'pg' },
  { rule: 'client-imports-little', file: 'src/compliance/client/store.ts', imports: '../../ledger/rows.ts' },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/compliance/service/peek.ts', imports: '../../ledger/rows.ts', typeOnly: true },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/compliance/service/reuse.ts', imports: '../client/port.ts' },
  { rule: 'service-knows-nothing-of-the-bridge', file: 'src/compliance/service/shop.ts', imports: '../../config/config.ts' },
  { rule: 'bridge-knows-the-service-by-wire-only', file: 'src/delivery/shortcut.ts', imports: '../compliance/service/router.ts' },
  { rule: 'bullmq-stays-in-its-shells', file: 'src/intake/enqueue.ts', imports: 'bullmq' },
  { rule: 'bullmq-stays-in-its-shells', file: 'src/delivery/converge.ts', imports: 'bullmq', typeOnly: true },
  { rule: 'bullmq-is-made-in-one-place', file: 'src/delivery/own-worker.ts', imports: 'bullmq' },
  { rule: 'express-stays-at-the-edge', file: 'src/intake/handler.ts', imports: 'express', typeOnly: true },
  { rule: 'sql-stays-in-the-ledgers', file: 'src/delivery/query.ts', imports: 'pg', typeOnly: true },
  { rule: 'edges-are-nobodys-base', file: 'src/ledger/render.ts', imports: '../web/page.ts' },
  { rule: 'nobody-imports-the-app', file: 'src/web/locate.ts', imports: '../app/app.ts' },
  { rule: 'no-cycles', file: 'src/config/chicken.ts', imports: './egg.ts' },
  { rule: 'no-cycles-between-folders', file: 'src/intake/left.ts', imports: '../ledger/right.ts', typeOnly: true },
  { rule: 'product-without-tools', file: 'src/platform/helped.ts', imports: '../../test/support/help.ts' },
  { rule: 'no-dev-dependencies', file: 'src/platform/generated.ts', imports: 'fast-check' },
  { rule: 'only-declared-packages', file: 'src/platform/lucky.ts', imports: 'cosmiconfig' },
  { rule: 'imports-resolve', file: 'src/platform/lost.ts', imports: './nowhere.ts' },
];

test('each layer rule fires on the file planted against it', async () => {
  await using tree = await plantTree(files(), ['package.json']);

  const fired = violations(await run(tree.root));

  const silent = plants.filter(({ rule, file }) => !fired.some((line) => line.startsWith(`${rule}: ${file} `)));
  expect(silent).toEqual([]);
});

test('each layer rule has a plant', () => {
  const rules = (options.ruleSet?.forbidden ?? []).map(({ name }) => name);

  expect(new Set(plants.map(({ rule }) => rule))).toEqual(new Set(rules));
});

test('the real tree is cruised, and breaks no rule', async () => {
  const result = await run(repository);

  expect(result.summary.totalCruised).toBeGreaterThan(20);
  expect(violations(result)).toEqual([]);
});

test('what the rules allow is left alone', async () => {
  await using tree = await plantTree(
    {
      'src/domain/totals.ts': "import { Decimal } from 'decimal.js';\nexport const zero = new Decimal(0);\n",
      'src/delivery/some-worker.ts': "import type { Processor } from 'bullmq';\nexport type Mine = Processor;\n",
      'src/delivery/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;\n",
      'src/delivery/two.ts': "import type { One } from './one.ts';\nexport type Two = { one: One };\n",
      'src/platform/owned.ts': 'export async function owned(thing: AsyncDisposable): Promise<void> {\n  await using _thing = thing;\n}\n',
    },
    ['package.json'],
  );

  expect(violations(await run(tree.root))).toEqual([]);
});

function files(): Record<string, string> {
  const targets = ['config/config', 'storefronts/woocommerce/payload', 'ledger/rows', 'compliance/client/port', 'compliance/service/router', 'platform/log'];
  const edges = ['web/page', 'app/app'];
  const empty = [...targets, ...edges].map((path) => `src/${path}.ts`).concat('test/support/help.ts');
  return {
    ...Object.fromEntries(empty.map((path) => [path, 'export type It = string;\nexport const it = 1;\n'])),
    'src/ledger/right.ts': "import type { Mine } from '../intake/left.ts';\nexport type It = Mine;\n",
    'src/config/egg.ts': "import { mine } from './chicken.ts';\nexport const it = mine;\n",
    ...Object.fromEntries(plants.map((plant) => [plant.file, source(plant)])),
  };
}

function source({ imports, typeOnly }: Plant): string {
  return typeOnly ? `import type { It } from '${imports}';\nexport type Mine = It;\n` : `import { it } from '${imports}';\nexport const mine = it;\n`;
}

async function run(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['src'], { ...options, baseDir });
  if (typeof output === 'string') throw new Error(`expected a result, got text: ${output.slice(0, 200)}`);
  return output;
}

function violations({ summary }: ICruiseResult): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}
