import { expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';
import { runTool } from '../support/servers/run-tool.ts';

test('knip reports a file, an export and a dependency without a user', async () => {
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

test('knip reports exports that only tests use', async () => {
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

test('the compiler checks the strict set', async () => {
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

test('the compiler refuses an asserted row, and a schema that drifts from its stored type', async () => {
  const pool = "import type { Pool } from './platform/postgres/postgres.ts';\n";
  const jsonOf = "import { z } from 'zod';\nimport { jsonOf } from './platform/postgres/json-of.ts';\n";
  await using tree = await plantTree(
    {
      'src/asserted.ts': `${pool}export const asserted = (pool: Pool): unknown => pool.query<{ id: string }>('select id from orders');\n`,
      'src/touched.ts': `${pool}export const touched = async (pool: Pool): Promise<unknown> => (await pool.query('select id from orders')).rows;\n`,
      'src/narrow.ts': `${jsonOf}export const narrow = jsonOf<'due' | 'got'>()(z.enum(['due']));\n`,
      'src/wide.ts': `${jsonOf}export const wide = jsonOf<'due' | 'got'>()(z.enum(['due', 'got', 'lost']));\n`,
      'src/exact.ts': `${jsonOf}export const exact = jsonOf<'due' | 'got'>()(z.enum(['due', 'got']));\n`,
    },
    ['tsconfig.json', 'package.json', ...['postgres', 'read-rows', 'unreadable-row', 'json-of'].map((file) => `src/platform/postgres/${file}.ts`)],
  );

  const { output } = await runTool('tsc', ['--noEmit', '--pretty', 'false'], tree.root);

  const found = [...output.matchAll(/^src\/(\S+)\.ts\S* error (TS\d+)/gm)].map(([, file, code]) => `${file} ${code}`);
  expect(found.sort()).toEqual(['asserted TS2558', 'narrow TS2345', 'touched TS2339', 'wide TS2379']);
});
