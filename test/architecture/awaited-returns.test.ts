import { globSync, readFileSync } from 'node:fs';
import { type ModuleItem, parseSync } from '@swc/core';
import { expect, test } from 'vitest';

type Node = { type: string; [field: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const parsed = (text: string): readonly ModuleItem[] => parseSync(text, { syntax: 'typescript', target: 'es2024' }).body;

function* nodesOf(value: unknown, enter: (node: Node) => boolean = () => true): Generator<Node> {
  if (isNode(value) && !enter(value)) return;
  if (isNode(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) yield* nodesOf(part, enter);
}

const nameOf = (node: unknown): string | null => (isNode(node) && node.type === 'Identifier' ? String(node['value']) : null);

const isFunction = ({ type }: Node) => /Function(Declaration|Expression)$|^(Class|Private)Method$|^(Method|Getter|Setter)Property$/.test(type);

const namesIn = (text: string, declared: RegExp) => [...text.matchAll(declared)].map(([, name = '']) => name);

/** Calls of an asynchronous function that a block with `await using` returns without waiting: what it opened is closed before the call is over. */
function returnedEarly(body: unknown, names: ReadonlySet<string>): string[] {
  const returns = [...nodesOf(body)].flatMap(({ stmts }) => {
    if (!Array.isArray(stmts)) return [];
    const opened = stmts.findIndex((stmt) => isNode(stmt) && stmt.type === 'UsingDeclaration' && stmt['isAwait'] === true);
    return opened < 0 ? [] : [...nodesOf(stmts.slice(opened), (node) => !isFunction(node))].filter(({ type }) => type === 'ReturnStatement');
  });
  return returns
    .flatMap(({ argument }) => (isNode(argument) && argument.type === 'CallExpression' ? (nameOf(argument['callee']) ?? []) : []))
    .filter((name) => names.has(name));
}

test('a block with `await using` waits for what it returns', () => {
  const files = globSync('src/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const names = new Set(files.flatMap(({ text }) => namesIn(text, /\basync function (\w+)/g)));

  expect(names.size).toBeGreaterThan(1000);
  const using = files.filter(({ text }) => text.includes('await using'));
  expect(using.length).toBeGreaterThan(10);
  expect(
    using.flatMap(({ path, text }) =>
      returnedEarly(parsed(text), names.difference(new Set(namesIn(text, /(?<!async )function (\w+)/g)))).map((name) => `${path}: return await ${name}(…)`),
    ),
  ).toEqual([]);
});

test('a call that is returned and not awaited is found, and one of an inner function is not', () => {
  const early = parsed('async function run() { await using pool = open(); if (a) return read(pool); return () => { return read(pool); }; }');
  const waited = parsed('async function run() { await using pool = open(); return await read(pool); }');

  expect(returnedEarly(early, new Set(['read']))).toEqual(['read']);
  expect(returnedEarly(waited, new Set(['read']))).toEqual([]);
});
