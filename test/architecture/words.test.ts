import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { LEFT } from '../../scripts/words/left-words.ts';
import { plantTree } from '../support/servers/planted-tree.ts';
import { runTool } from '../support/servers/run-tool.ts';

const repository = join(import.meta.dirname, '../..');

const DECLARED = /\b(?:const|let|function\*?|class|type|interface)\s+(\w+)|(?<=[{(,;\n]\s*)(?:readonly\s+)?(\w+)\??:\s/g;
const PUBLIC = ['README.md', 'docs/{,reference/}*.md', 'src/**/messages/*.ts', 'src/cli/**/*.ts', 'src/operations/words.ts'];

function partsOf(name: string): string[] {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/);
  return words.map((word) => word.toLowerCase());
}

function namesIn(root: string): string[] {
  return globSync('src/**/*.{ts,sql}', { cwd: root })
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const declared = file.endsWith('.sql') ? [text] : [...text.matchAll(DECLARED)].map(([, named, member]) => named ?? member ?? '');
      return [basename(file), ...declared].flatMap(partsOf).map((word) => [file, word] as const);
    })
    .flatMap(found);
}

function textsIn(root: string): string[] {
  return globSync(PUBLIC, { cwd: root })
    .flatMap((file) => {
      const words = readFileSync(join(root, file), 'utf8').match(/(?<![\w/.-])[A-Za-z]+(?![\w/-])/g) ?? [];
      return words.map((word) => [file, word.toLowerCase()] as const);
    })
    .flatMap(found);
}

function found([file, word]: readonly [string, string]): string[] {
  return Object.hasOwn(LEFT, word) ? [`${file}: ${word}`] : [];
}

const distinct = (all: readonly string[]): string[] => [...new Set(all)].sort();

test('no file, no declared name and no public English text has a word that was left', () => {
  expect(globSync('src/**/*.ts', { cwd: repository }).length).toBeGreaterThan(300);
  expect(distinct([...namesIn(repository), ...textsIn(repository)])).toEqual([]);
});

test('a planted one is found in a file’s name, a function, a member, a column and a help text', async () => {
  await using tree = await plantTree(
    {
      'src/bridge/park-order.ts': 'export const order = 1;\n',
      'src/bridge/orders.ts': 'export function visitOrder(): void {}\nexport type Order = { isParked: boolean };\n',
      'src/bridge/version-1.sql': 'create table orders (parked_code text);\n',
      'src/cli/commands/help.ts': "export const help = 'Lists what is parked, or carparking.';\n",
    },
    [],
  );

  expect(distinct([...namesIn(tree.root), ...textsIn(tree.root)])).toEqual([
    'src/bridge/orders.ts: parked',
    'src/bridge/orders.ts: visit',
    'src/bridge/park-order.ts: park',
    'src/bridge/version-1.sql: parked',
    'src/cli/commands/help.ts: parked',
  ]);
});

/** Types of one name that mean the same: each edge has its own. */
const SHARED_TYPES: Readonly<Record<string, string>> = {
  Words: 'the messages of one language: those of the console, and those of the merchants’ pages',
};

function typesTwice(root: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: root });
  const names = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:type|interface|(?:abstract )?class) (\w+)/gm)].map(([, name = '']) => name),
  );
  return names.filter((name, at) => names.indexOf(name) !== at);
}

test('no two exported types have one name, except those that mean the same', async () => {
  expect(typesTwice(repository)).toEqual(Object.keys(SHARED_TYPES));

  await using tree = await plantTree({ 'src/bridge/a.ts': 'export type Told = 1;\n', 'src/service/b.ts': 'type Told = 2;\nexport class Told {}\n' }, []);
  expect(typesTwice(tree.root)).toEqual(['Told']);
});

test('a commit whose subject has one of them, or is not “area: change”, is warned of', async () => {
  await using tree = await plantTree({ 'README.md': 'A shop.\n' }, []);
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@shop.example', ...args], { cwd: tree.root });
  git('init', '--quiet');
  const subjects = ['orders: list what is parked', 'Fixed it', 'orders: say in review, not parked', 'orders: list what is in review'];
  for (const subject of subjects) git('commit', '--quiet', '--allow-empty', '--message', subject);

  const { output, code } = await runTool('node', [join(repository, 'scripts/check-subjects.ts')], tree.root);

  expect(code).toBe(0);
  expect(output.trim().split('\n')).toEqual([
    'warning: commit “Fixed it”: write it as “area: change”',
    'warning: commit “orders: list what is parked”: “parked” is called in review now',
  ]);
});
