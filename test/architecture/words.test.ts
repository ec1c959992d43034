import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

/** Words that the program had for things of its own, and what they are called now. */
const LEFT: Record<string, string> = {
  alike: 'similar',
  blame: 'poison detector',
  desk: 'issue',
  errand: 'outbox job',
  errands: 'outbox jobs',
  happening: 'event',
  happenings: 'events',
  heads: 'order summaries',
  heard: 'received',
  lane: 'call type, or call queue',
  lanes: 'call types, or call queues',
  misfit: 'mismatch',
  misfits: 'mismatches',
  park: 'send to review',
  parked: 'in review',
  parking: 'sending to review',
  persistently: 'retry',
  replan: 're-evaluate',
  replanned: 're-evaluated',
  survey: 'store inspection',
  trouble: 'incident, or denial',
  troubles: 'incidents, or denials',
  unhurried: 'throttled',
  unparked: 'out of review',
  visit: 'attempt',
  visited: 'processed',
  visits: 'attempts',
  wake: 'notify',
  waking: 'notifying',
  walk: 'sync run, or scenario',
  walks: 'sync runs, or scenarios',
  woken: 'notified',
};

/** What may have one of them, and why. */
const ALLOWED: Record<string, string> = {
  'docs/shopify.md: trouble': 'plain English, of a server at Shopify',
};

const DECLARED = /\b(?:const|let|function\*?|class|type|interface)\s+(\w+)|(?<=[{(,;\n]\s*)(?:readonly\s+)?(\w+)\??:\s/g;
const PUBLIC = ['README.md', 'docs/*.md', 'src/**/words/en/*.ts', 'src/cli/**/*.ts', 'src/operations/words/*.ts'];

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
  expect(distinct([...namesIn(repository), ...textsIn(repository)])).toEqual(Object.keys(ALLOWED).sort());
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
