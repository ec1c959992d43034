import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { withSourcePlaces } from '../../src/platform/source-places.ts';
import { BUILT } from '../support/servers/built-program.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const folder = join(BUILT, '..', /'\.\/(\w+)\/modules\/main\.js'/.exec(readFileSync(BUILT, 'utf8'))?.[1] ?? '');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('compiled'));
const modules = files.filter((path) => path.endsWith('.js') && !path.startsWith('console'));

/** The sources of a module, from the folder of the checkout; one that only hands on what others have has no map. */
function sourcesOf(path: string): string[] {
  if (!files.includes(`${path}.map`)) return [];
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(folder, `${path}.map`), 'utf8'));
  return sources.filter((source) => !source.startsWith('\0')).map((source) => source.replace(/^(\.\.\/)+/, ''));
}

const sources = modules.flatMap(sourcesOf).filter((source) => source !== '');
const packages = [...new Set(sources.flatMap((source) => /^.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(source)?.[0] ?? []))];

test('the build is made of the sources and of packages, each of which it has once', () => {
  expect(sources.filter((source) => !/^(src|node_modules)\/|^package\.json$/.test(source))).toEqual([]);
  for (const once of ['bullmq', 'express', 'ioredis', 'nodemailer', 'pg', 'pino', 'prom-client', 'zod']) {
    expect(packages.filter((one) => one.endsWith(`node_modules/${once}`))).toEqual([`node_modules/${once}`]);
  }
  // A module that two parts of the build had would be two: of what it keeps, each would see the half.
  expect(sources.filter((source, i) => sources.indexOf(source) !== i)).toEqual([]);
});

/** What a module of the build loads at once, modules and packages, itself included. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = files.includes(path) ? readFileSync(join(folder, path), 'utf8') : '';
  for (const [, name = ''] of text.matchAll(/^(?:import|export) (?:.*? from )?"([^"]+)"/gm))
    loadedWith(name.startsWith('.') ? join(dirname(path), name) : name, seen);
  return seen;
}

test('what is loaded together is in few files, and help and threads load nothing of the database', () => {
  const sourcesWith = (path: string) => [...loadedWith(path)].flatMap(sourcesOf);
  const opened = modules.find((path) => path.startsWith('modules/open-beside')) ?? '';

  expect(sourcesWith(opened)).toEqual(expect.arrayContaining(['src/app/core.ts', 'node_modules/pg/esm/index.mjs']));
  expect([...loadedWith(opened)].filter((path) => path.endsWith('.js')).length).toBeLessThan(12);
  const commands = modules.find((path) => path.startsWith('modules/commands-')) ?? '';
  for (const path of ['modules/main.js', commands, 'app/body-process.js', 'service/audit/format/schema-thread.js'])
    expect(sourcesWith(path).filter((source) => /\/(pg|pino|bullmq)\/|src\/(app\/core|bridge\/ledger\/)/.test(source))).toEqual([]);
});

test('it keeps the licence of each package that is in it', () => {
  const licences = readFileSync(join(folder, 'licences.txt'), 'utf8');
  const names = packages.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

  expect(names.filter((name) => !`\n${licences}`.includes(`\n${name} `))).toEqual([]);
  // Of express.
  expect(licences).toContain('Copyright (c) 2009-2014 TJ Holowaychuk');
});

test('packages that stay outside are not in it, and nothing in it is left to find one that is', () => {
  const outside = new Set(
    modules.flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(/^(?:import|export) .*?from "([^"./][^"]*)"/gm)].map(([, name]) => name)),
  );

  expect([...outside].filter((name) => name?.startsWith('node:') === false && !isBuiltin(name)).sort()).toEqual(['libxml2-wasm', 'tinypool']);
});

test('it has the files that come with the program, and neither a test nor a file of settings', () => {
  expect(files).toEqual(expect.arrayContaining(['console/assets/style.css', 'service/orders/create-orders.sql', 'app/body-process.js']));
  expect(files.filter((path) => /test|fixture|\.env|secret\.txt/.test(path.replace(/^modules\/[\w-]*(test|secret)[\w-]*\.js(\.map)?$/, '')))).toEqual([]);
});

test('a stack names the sources', () => {
  const lines = readFileSync(join(folder, 'modules/main.js'), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('function onUnwritten'));
  const stack = `Error: no\n    at onUnwritten (${pathToFileURL(join(folder, 'modules/main.js'))}:${at + 1}:10)\n    at node:internal/x:1:2`;

  expect(withSourcePlaces(stack)).toMatch(/^Error: no\n {4}at onUnwritten \(file:\/\/\/\S+\/src\/main\.ts:\d+:\d+\)\n {4}at node:internal\/x:1:2$/);
  expect(withSourcePlaces('at f (file:///nowhere/x.js:1:2)')).toBe('at f (file:///nowhere/x.js:1:2)');
});

test('after npm ci without the tools, or where nothing can be built, preparing succeeds and says that the sources run', async () => {
  await using tree = await plantTree({ 'src/main.ts': '' }, ['package.json', 'package-lock.json', 'bin', 'scripts']);
  await rm(join(tree.root, 'node_modules'));

  const { status, stderr } = spawnSync(process.execPath, ['scripts/build/prepare.mjs'], { cwd: tree.root, encoding: 'utf8' });

  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^orderbridge is not built: .*rolldown.*\. Its sources run on Node 24\.16 or newer, and start more slowly/),
  });
});
