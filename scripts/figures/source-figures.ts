import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import jsTokens from 'js-tokens';

/** Counts of `root`/src; the lists are sorted. */
export type SourceFigures = {
  files: number;
  lines: number;
  /** Neither white space nor comments. */
  tokens: number;
  /** Of imports, from the keyword to the end of the statement. */
  importLines: number;
  fileLines: number[];
  /** A function counts if it has a body in braces, with the lines from brace to brace. */
  functionLines: number[];
  /** Declared without `export`, and named at one other place of their file. */
  typesUsedOnce: number;
  typesNamedDeps: number;
};

export function sourceFigures(root: string): SourceFigures {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const fileLines = texts.map(linesOf).sort(ascending);
  const sumOf = (count: (text: string) => number) => texts.reduce((sum, text) => sum + count(text), 0);
  return {
    files: texts.length,
    lines: sumOf(linesOf),
    tokens: sumOf((text) => codeTokens(text).length),
    importLines: sumOf((text) => (text.match(IMPORTS) ?? []).reduce((sum, one) => sum + linesOf(`${one}\n`), 0)),
    fileLines,
    functionLines: texts.flatMap(functionLinesOf).sort(ascending),
    typesUsedOnce: sumOf(typesUsedOnce),
    typesNamedDeps: sumOf((text) => text.match(/^(export )?type Deps\b/gm)?.length ?? 0),
  };
}

const IMPORTS = /^import\b[^;]*;/gm;
const PRIVATE_TYPES = /^(?:type|interface) (\w+)/gm;

function codeTokens(text: string): string[] {
  return [...jsTokens(text)].flatMap(({ type, value }) => (/WhiteSpace|Comment|LineTerminator/.test(type) ? [] : [value]));
}

function typesUsedOnce(text: string): number {
  const declared = [...text.matchAll(PRIVATE_TYPES)].map(([, name]) => name);
  const tokens = declared.length === 0 ? [] : codeTokens(text);
  return declared.filter((name) => tokens.filter((token) => token === name).length === 2).length;
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function functionLinesOf(text: string): number[] {
  const bytes = Buffer.from(text);
  const module = parseSync(text, { syntax: 'typescript', target: 'es2024' });
  // Offsets are of bytes, and go on from one parsed text to the next; the module ends where its text does.
  const base = module.span.end - bytes.length;
  return spansOf(module).map(([start, end]) => linesOf(`${bytes.subarray(start - base, end - base)}\n`));
}

function spansOf(node: unknown): (readonly [number, number])[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(spansOf);
  return isBody(node) ? [[node.span.start, node.span.end], ...inner] : inner;
}

function isBody(node: object): node is { span: { start: number; end: number } } {
  return 'type' in node && node.type === 'FunctionBody';
}

function ascending(a: number, b: number): number {
  return a - b;
}
