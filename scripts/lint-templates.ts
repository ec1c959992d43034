/**
 * Reads each html template as the tag does when it is first used, and finds markup that is written without the tag; exit code 1 if there is any.
 * `node scripts/lint-templates.ts src`
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, type StringLiteral, type TaggedTemplateExpression, type TemplateLiteral } from '@swc/core';
import { templatePlaces } from '../src/web/template-places.ts';

type Problem = { start: number; rule: 'templates-are-safe' | 'markup-is-made-by-html'; words: string };

/** Elements whose names mean nothing else: `<code>` and `<address>` are places to fill in, too. */
const NAMES = 'br|button|canvas|div|em|form|h[1-6]|hr|html|iframe|img|input|li|meta|ol|pre|script|span|strong|style|svg|table|tbody|td|textarea|th|thead|tr|ul';
const BARE = `<(?:${NAMES})(?=\\s*(?:/?>|$))|<[abip]\\s*>`;
const MARKUP = new RegExp(`</[a-z][a-z\\d]*\\s*>|<!doctype html|<[a-z][a-z\\d]*\\s+[a-z][\\w:-]*\\s*=|${BARE}`, 'i');
/** The agency's file is XML, with other rules. */
const XML = /^src[\\/]service[\\/]audit[\\/]format[\\/]/;

const folder = process.argv[2] ?? 'src';
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));
const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${folder}: no problem found in ${files.length} files`);

function problemsOf(file: string): string[] {
  const source = readFileSync(file);
  // swc counts bytes, from one.
  const lineOf = (start: number): number =>
    source
      .subarray(0, start - 1)
      .toString()
      .split('\n').length;
  const found = [...problemsWithin(parseSync(source.toString(), { syntax: 'typescript' }))];
  const counted = XML.test(file) ? found.filter(({ rule }) => rule !== 'markup-is-made-by-html') : found;
  return counted.map(({ start, rule, words }) => `${file}:${lineOf(start)} ${rule}: ${words}`);
}

function* problemsWithin(node: unknown): Generator<Problem> {
  if (typeof node !== 'object' || node === null) return;
  if (isTemplate(node)) {
    const words = refusalOf(node);
    if (words !== null) yield { start: node.span.start, rule: 'templates-are-safe', words };
    yield* problemsWithin(node.template.expressions);
    return;
  }
  if (isText(node) && MARKUP.test(textOf(node))) {
    yield { start: node.span.start, rule: 'markup-is-made-by-html', words: 'this is a plain string; the html tag of src/web escapes what is put in' };
  }
  for (const child of Object.values(node)) yield* problemsWithin(child);
}

function refusalOf({ template }: TaggedTemplateExpression): string | null {
  try {
    templatePlaces(template.quasis.map(({ cooked }) => cooked ?? ''));
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function isTemplate(node: object): node is TaggedTemplateExpression {
  return isNode(node) && node.type === 'TaggedTemplateExpression' && 'tag' in node && isHtml(node.tag);
}

function isHtml(tag: unknown): boolean {
  return typeof tag === 'object' && tag !== null && 'value' in tag && tag.value === 'html';
}

function isText(node: object): node is StringLiteral | TemplateLiteral {
  return isNode(node) && (node.type === 'StringLiteral' || node.type === 'TemplateLiteral');
}

function textOf(node: StringLiteral | TemplateLiteral): string {
  return node.type === 'StringLiteral' ? node.value : node.quasis.map(({ cooked }) => cooked ?? '').join('');
}

function isNode(node: object): node is Node {
  return 'type' in node && typeof node.type === 'string';
}
