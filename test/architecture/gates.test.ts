import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { lintPlants } from '../support/plants/lint-plants.ts';
import { plantTree } from '../support/servers/planted-tree.ts';
import { runTool } from '../support/servers/run-tool.ts';

const repository = join(import.meta.dirname, '../..');

test('Biome reports each planted file by its rule', async () => {
  const texts = Object.fromEntries(Object.values(lintPlants).map(({ file, text }) => [file, text]));
  await using tree = await plantTree(texts, ['biome.json', 'package.json']);

  const { code, output } = await runTool('biome', ['check', '--reporter=github', '--max-diagnostics=none', '.'], tree.root);

  const silent = Object.entries(lintPlants).filter(([rule, { file }]) => !reported(output, rule, file));
  expect({ code, silent: silent.map(([rule]) => rule) }).toEqual({ code: 1, silent: [] });
});

test('Biome lets the command line print, and main touch the process', async () => {
  const allowed = {
    'src/cli/say.ts': "export const say = (): void => console.log('hello');\n",
    'src/main.ts': 'process.exitCode = 0;\n',
    'vitest.config.ts': 'export default {};\n',
  };
  await using tree = await plantTree(allowed, ['biome.json', 'package.json']);

  expect(await runTool('biome', ['check', '.'], tree.root)).toMatchObject({ code: 0 });
});

test('the container files are looked at', async () => {
  await using tree = await plantTree(
    {
      Dockerfile: 'FROM node:24-slim\nEXPOSE nothing\nCMD ["a"]\n',
      'docker-compose.yml': 'name: planted\nservices:\n  open:\n    image: redis:8-alpine\n    ports:\n      - "6379:6379"\n',
    },
    ['.dclintrc.json'],
  );

  const dockerfile = await runTool('node', [join(repository, 'scripts/lint-dockerfile.ts'), 'Dockerfile'], tree.root);
  const compose = await runTool('dclint', ['--config', '.dclintrc.json', '--max-warnings', '0', 'docker-compose.yml'], tree.root);

  expect(dockerfile).toMatchObject({ code: 1, output: expect.stringContaining('Dockerfile:2') });
  expect(compose).toMatchObject({ code: 1, output: expect.stringContaining('no-unbound-port-interfaces') });
});

test('markup that escaping does not protect, or that is written past the tag, is reported', async () => {
  const planted = {
    'src/web/link.ts': `import { html } from './html.ts';\n\nexport const link = (to: string) => html\`<a href=\${to}>there</a>\`;\n`,
    'src/web/open.ts': `import { html } from './html.ts';\n\nexport const open = (name: string) => html\`<p>\${html\`<b>\${name}</p>\`}</p>\`;\n`,
    'src/service/pasted.ts': `// Ценник\nexport const pasted = (name: string) => \`<b>\${name}</b>\`;\n`,
    'src/bridge/added.ts': `export const added = (name: string) => '<b>' + name + '</b>';\n`,
    'src/bridge/shown.ts': `export const shown = (to: string) => '<img src=' + to + '>';\n`,
    'src/bridge/broken.ts': `export const broken = (lines: string[]) => lines.join('<br>');\n`,
    'src/bridge/cut.ts': `export const cut = (rest: string) => '<script' + rest;\n`,
    'src/bridge/custom.ts': `export const custom = (x: string) => \`<label for=\${x}>\`;\n`,
    'src/cli/usage.ts': `export const usage = ['connect <platform> <name>', 'a <b', 'Anna <anna@shop.example>', '<address>', '1 <a && b> 2'];\n`,
    'src/service/audit/format/xml.ts': `export const xml = '<eik></eik>';\n`,
    'src/web/sound.ts': `import { html } from './html.ts';\n\nexport const sound = (to: string) => html\`<a href="/orders?after=\${to}">more</a>\`;\n`,
  };
  await using tree = await plantTree(planted, []);

  const { code, output } = await runTool('node', [join(repository, 'scripts/lint-templates.ts'), 'src'], tree.root);

  const found = [...output.matchAll(/^(src\S+:\d+) (\S+):/gm)].map(([, at, rule]) => `${at} ${rule}`);
  expect({ code, found: found.sort() }).toEqual({
    code: 1,
    found: [
      'src/bridge/added.ts:1 markup-is-made-by-html',
      'src/bridge/added.ts:1 markup-is-made-by-html',
      'src/bridge/broken.ts:1 markup-is-made-by-html',
      'src/bridge/custom.ts:1 markup-is-made-by-html',
      'src/bridge/cut.ts:1 markup-is-made-by-html',
      'src/bridge/shown.ts:1 markup-is-made-by-html',
      'src/service/pasted.ts:2 markup-is-made-by-html',
      'src/web/link.ts:3 templates-are-safe',
      'src/web/open.ts:3 templates-are-safe',
    ],
  });
});

test('SQL that writes, locks or reads personal data, and that an edge reaches without an operation, is reported', async () => {
  const planted = {
    'src/bridge/ledger/rows.ts': `const FREE = 'delete from orders where id = $1';
const BUYER = 'left join customers c on c.order_ref = o.id';
export const free = (pool) => pool.query(FREE);
export const buyers = (pool) => pool.query(\`select c.data from orders o \${BUYER}\`);
export const count = (pool) => pool.query('select count(*) from orders');
`,
    'src/bridge/ledger/locks.ts': "import { free } from './rows.ts';\nexport class Locks {\n  end(pool) {\n    return free(pool);\n  }\n}\n",
    'src/service/make.sql':
      'create or replace function compliance.make(p_id uuid) returns void language sql as $$ insert into compliance.orders values (p_id) $$;\n',
    'src/service/make.ts': "export const make = (pool) => pool.query('select compliance.make($1)');\n",
    'src/operations/free.ts': "export { free } from '../bridge/ledger/rows.ts';\n",
    'src/console/frees.ts': "import { Locks } from '../bridge/ledger/locks.ts';\nexport const page = (pool) => new Locks().end(pool);\n",
    'src/console/counts.ts': "import { count } from '../bridge/ledger/rows.ts';\nexport const page = (pool) => count(pool);\n",
    'src/console/asks.ts': "import { free } from '../operations/free.ts';\nexport const page = (pool) => free(pool);\n",
    'src/connect/shows.ts': "import { buyers } from '../bridge/ledger/rows.ts';\nexport const page = (pool) => buyers(pool);\n",
    'src/connect/knows.ts': "import type { Locks } from '../bridge/ledger/locks.ts';\nexport type Mine = Locks;\n",
    'src/cli/makes.ts': "export async function run(pool) {\n  const { make } = await import('../service/make.ts');\n  return make(pool);\n}\n",
  };
  await using tree = await plantTree(planted, []);

  const { code, output } = await runTool('node', [join(repository, 'scripts/lint-edges.ts'), 'src'], tree.root);

  expect({ code, found: output.trim().split('\n') }).toEqual({
    code: 1,
    found: [
      'src/cli/makes.ts: make of src/service/make.ts writes or locks: an operation must do it',
      'src/connect/shows.ts: buyers of src/bridge/ledger/rows.ts reads personal data: an operation must do it',
      'src/console/frees.ts: Locks of src/bridge/ledger/locks.ts writes or locks: an operation must do it',
    ],
  });
});

longTest('knip reports a file, an export and a dependency without a user', async () => {
  await using tree = await plantTree(
    {
      'src/main.ts': "import { used } from './half-used.ts';\n\nused();\n",
      'src/half-used.ts': 'export const used = (): number => 1;\nexport const idle = 2;\n',
      'src/orphan.ts': 'export const orphan = 1;\n',
    },
    ['knip.json', 'package.json', 'tsconfig.json'],
  );

  const { code, output } = await runTool('knip', [], tree.root);

  expect(code).toBe(1);
  expect(output).toMatch(/Unused files[\s\S]*src\/orphan\.ts[\s\S]*Unused dependencies[\s\S]*commander[\s\S]*Unused exports[\s\S]*idle/);
});

longTest('knip reports exports that only tests use', async () => {
  await using tree = await plantTree(
    {
      'src/main.ts': "import { used } from './half-used.ts';\n\nused();\n",
      'src/half-used.ts': 'export const used = (): number => inside;\nexport const inside = 1;\nexport const tested = 2;\n',
      'src/rehearsed.ts': 'export const rehearsed = 1;\n',
      'test/half-used.test.ts':
        "import { expect, test } from 'vitest';\nimport { inside, tested } from '../src/half-used.ts';\nimport { rehearsed } from '../src/rehearsed.ts';\n\n" +
        "test('all', () => expect([inside, tested, rehearsed]).toEqual([1, 2, 1]));\n",
    },
    ['knip.product.json', 'package.json', 'tsconfig.json'],
  );

  const { code, output } = await runTool('knip', ['--production', '--config', 'knip.product.json'], tree.root);

  expect(code).toBe(1);
  expect(output).toMatch(/Unused files[\s\S]*src\/rehearsed\.ts[\s\S]*Unused exports[\s\S]*tested/);
  expect(output).not.toContain('inside');
});

longTest('the compiler checks the strict set', async () => {
  await using tree = await plantTree(
    {
      'src/index.ts': 'export const first = (all: string[]): string => all[0];\n',
      'src/optional.ts': 'type Wish = { name?: string };\nexport const wish: Wish = { name: undefined };\n',
      'src/dotted.ts': 'export const dotted = (all: Record<string, string>): string | undefined => all.name;\n',
      'src/erased.ts': 'export enum Colour {\n  Red,\n}\n',
      'src/falls.ts': 'export function falls(n: number): number {\n  switch (n) {\n    case 1:\n      n.toFixed();\n    default:\n      return 2;\n  }\n}\n',
    },
    ['tsconfig.json', 'package.json'],
  );

  const { output } = await runTool('tsc', ['--noEmit', '--pretty', 'false'], tree.root);

  const found = [...output.matchAll(/^src\/(\w+)\.ts\S* error (TS\d+)/gm)].map(([, file, code]) => `${file} ${code}`);
  expect(found.sort()).toEqual(['dotted TS4111', 'erased TS1294', 'falls TS7029', 'index TS2322', 'optional TS2375']);
});

longTest('the compiler refuses an asserted row, and a schema that drifts from its stored type', async () => {
  const pool = "import type { Pool } from './platform/postgres/postgres.ts';\n";
  const jsonOf = "import { z } from 'zod';\nimport { jsonOf } from './platform/postgres/read-rows.ts';\n";
  await using tree = await plantTree(
    {
      'src/asserted.ts': `${pool}export const asserted = (pool: Pool): unknown => pool.query<{ id: string }>('select id from orders');\n`,
      'src/touched.ts': `${pool}export const touched = async (pool: Pool): Promise<unknown> => (await pool.query('select id from orders')).rows;\n`,
      'src/narrow.ts': `${jsonOf}export const narrow = jsonOf<'due' | 'got'>()(z.enum(['due']));\n`,
      'src/wide.ts': `${jsonOf}export const wide = jsonOf<'due' | 'got'>()(z.enum(['due', 'got', 'lost']));\n`,
      'src/exact.ts': `${jsonOf}export const exact = jsonOf<'due' | 'got'>()(z.enum(['due', 'got']));\n`,
    },
    [
      'tsconfig.json',
      'package.json',
      ...['seal', 'postgres/postgres', 'postgres/read-rows', 'postgres/unreadable-row'].map((file) => `src/platform/${file}.ts`),
    ],
  );

  const { output } = await runTool('tsc', ['--noEmit', '--pretty', 'false'], tree.root);

  const found = [...output.matchAll(/^src\/(\S+)\.ts\S* error (TS\d+)/gm)].map(([, file, code]) => `${file} ${code}`);
  expect(found.sort()).toEqual(['asserted TS2558', 'narrow TS2345', 'touched TS2339', 'wide TS2379']);
});

function reported(output: string, rule: string, file: string): boolean {
  const title = rule === 'format' ? 'format' : `lint/${rule}`;
  return output.split('\n').some((line) => line.includes(`title=${title},`) && line.includes(`/${file},`));
}
