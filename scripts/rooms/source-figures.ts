import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** Counts of `root`/src; the lists are sorted. A function counts if it has a body in braces, with the lines from brace to brace. */
export type SourceFigures = { files: number; lines: number; fileLines: number[]; functionLines: number[] };

export function sourceFigures(root: string): SourceFigures {
  const texts = globSync('src/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const fileLines = texts.map(linesOf).sort(ascending);
  return {
    files: texts.length,
    lines: fileLines.reduce((sum, count) => sum + count, 0),
    fileLines,
    functionLines: texts.flatMap(functionLinesOf).sort(ascending),
  };
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
