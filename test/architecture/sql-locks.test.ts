import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const LOCKS = /\bfor (no key )?update\b|\bfor (key )?share\b/;
const UNION = /\bunion\b/;
/** Rows are joined to what stands in these parentheses. */
const JOINED = /\b(from|join|lateral|in|using)\s*$/;
const CTE = /(?<recursive>\brecursive\s+)?\b(?<name>\w+) as\s*$/;

/** A parenthesis, or a statement: what is before it, what is in it without deeper ones, and those. */
type Part = { before: string; own: string; parts: Part[] };

function partsOf(text: string): Part {
  const whole: Part = { before: '', own: '', parts: [] };
  const open = [whole];
  for (const sign of text) {
    const part = open.at(-1) ?? whole;
    if (sign === '(') {
      const inner = { before: part.own, own: '', parts: [] };
      part.parts.push(inner);
      open.push(inner);
    }
    if (sign === ')' && open.length > 1) open.pop();
    else part.own += sign;
  }
  return whole;
}

const namesIn = ({ own, parts }: Part): string => `${own} ${parts.map(namesIn).join(' ')}`;

/**
 * Unions beside which rows are locked, in a subquery or by name: where a row changed while its lock was waited for, PostgreSQL takes what is joined to it from
 * the first part alone. `locks`: rows are locked in what the part is joined to.
 */
function unionsIn(part: Part, locks = false): string[] {
  const isLocking = locks || LOCKS.test(part.own);
  return part.parts.flatMap((inner, at) => {
    const cte = CTE.exec(inner.before)?.groups;
    const rest = [part.own.slice(inner.before.length), ...part.parts.slice(at + 1).map(namesIn)].join(' ');
    const { recursive, name = '' } = cte ?? {};
    if (cte !== undefined) {
      const isJoined = recursive === undefined && LOCKS.test(rest) && new RegExp(`\\b${name}\\b`).test(rest);
      return [...(isJoined && UNION.test(inner.own) ? [name] : []), ...unionsIn(inner)];
    }
    const isJoined = isLocking && JOINED.test(inner.before);
    return [...(isJoined && UNION.test(inner.own) ? [inner.own.trim().slice(0, 60)] : []), ...unionsIn(inner, isJoined)];
  });
}

const unionsBesideLocks = (text: string): string[] => text.split(/;\s*$/m).flatMap((statement) => unionsIn(partsOf(statement)));

type Node = { type: string; [field: string]: unknown };
type Template = Node & { quasis: { raw: string }[]; expressions: unknown[] };
/** What a name stands for: the templates in it, and the parameters that they may show. */
type Named = { templates: Template[]; params: string[] };
type Names = ReadonlyMap<string, Named>;
/** `given`: what parameters stand for. `depth`: of names in names. */
type Scope = { names: Names; given: ReadonlyMap<string, string>; depth: number };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const isTemplate = (node: Node): node is Template => node.type === 'TemplateLiteral' && 'expressions' in node;
const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node['value']) : '');

/** `enter`: also within those that it names. */
function nodesOf(value: unknown, wanted: (node: Node) => boolean, { enter = false, found = [] as Node[] } = {}): Node[] {
  if (isNode(value) && wanted(value)) {
    found.push(value);
    if (!enter) return found;
  }
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) nodesOf(part, wanted, { enter, found });
  return found;
}

const templatesIn = (value: unknown): Template[] => nodesOf(value, isTemplate).filter(isTemplate);

function namesOf(module: unknown): [string, Named][] {
  const declared = nodesOf(module, ({ type }) => type === 'VariableDeclarator' || type === 'FunctionDeclaration', { enter: true });
  return declared.map((node) => {
    const value = node.type === 'FunctionDeclaration' ? node : node['init'];
    const params = isNode(value) && Array.isArray(value['params']) ? value['params'].map((one) => nameOf(isNode(one) && 'pat' in one ? one['pat'] : one)) : [];
    return [nameOf(node['id'] ?? node['identifier']), { templates: templatesIn(isNode(value) ? (value['body'] ?? value) : null), params }];
  });
}

/** The text of a template, with what it shows of others. */
function textOf({ quasis, expressions }: Template, { names, given, depth }: Scope): string {
  const within = (inside: Scope['given']): Scope => ({ names, given: inside, depth: depth + 1 });
  const shown = expressions.map((expression) => {
    if (!isNode(expression) || depth > 5) return '';
    if (isTemplate(expression)) return textOf(expression, within(given));
    const isCall = expression.type === 'CallExpression';
    const name = nameOf(isCall ? expression['callee'] : expression);
    const param = given.get(name);
    if (param !== undefined) return param;
    const args = isCall && Array.isArray(expression['arguments']) ? expression['arguments'] : [];
    const texts = args.map((arg) =>
      templatesIn(arg)
        .map((one) => textOf(one, within(given)))
        .join(' '),
    );
    const { templates, params } = names.get(name) ?? { templates: templatesIn(expression), params: [] };
    const inside = new Map(params.map((one, at) => [one, texts[at] ?? '']));
    return templates.map((one) => textOf(one, within(inside))).join(' ');
  });
  return quasis.map(({ raw }, at) => `${raw}${shown[at] ?? ''}`).join('');
}

const parsed = (text: string): unknown => parseSync(text, { syntax: 'typescript', target: 'es2024' }).body;
const foundIn = (module: unknown, names: Names): string[] =>
  templatesIn(module).flatMap((one) => unionsBesideLocks(textOf(one, { names, given: new Map(), depth: 0 })));

test('a union that is joined to locked rows is materialized', () => {
  const read = (file: string) => readFileSync(join(source, file), 'utf8');
  const texts = globSync('**/*.ts', { cwd: source }).map((file) => ({ file, text: read(file) }));
  const about = texts.filter(({ text }) => LOCKS.test(text) || UNION.test(text));
  const wordsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const shown = new Set(about.flatMap(({ text }) => wordsIn(text, /(?:const|function) (\w+)/g)));
  const shows = (text: string) => wordsIn(text, /\$\{(\w+)/g).some((name) => shown.has(name));
  const parts = texts.filter((one) => about.includes(one) || shows(one.text)).map(({ file, text }) => ({ file, module: parsed(text) }));
  const named = parts.map(({ file, module }) => ({ file, module, names: namesOf(module) }));
  const everywhere = named.flatMap(({ names }) => names);
  const found = named.flatMap(({ file, module, names }) => foundIn(module, new Map([...everywhere, ...names])).map((name) => `${file}: ${name}`));
  const files = globSync('**/*.sql', { cwd: source }).flatMap((file) => unionsBesideLocks(read(file)).map((name) => `${file}: ${name}`));

  expect([...found, ...files]).toEqual([]);
});

const BOTH = 'select 1 as id union all select 2';

test.each([
  ['by its name', `with named as (${BOTH}) select o.id from named join orders o on o.id = named.id for update of o`, 'named'],
  ['in a subquery', `select o.id from (${BOTH}) x join orders o using (id) for update of o`, BOTH],
  ['among ids', `with old as (select id from orders where id in (${BOTH}) for update skip locked) delete from orders o using old where o.id = old.id`, BOTH],
  ['deeper', `select o.id from orders o join (select x.id from (${BOTH}) x) y using (id) for share of o`, BOTH],
])('one is found %s', (_what, planted, name) => {
  expect(unionsBesideLocks(planted)).toEqual([name]);
});

test('one that is shown by a name, or by a function of it, is found', () => {
  const planted = parsed(`const BOTH = \`${BOTH}\`; const locked = (of: string) => \`select o.id from (\${of}) x join orders o using (id) for update of o\`;
    await pool.query(\`with x as (\${locked(\`\${BOTH}\`)}) select from x\`);`);

  expect(foundIn(planted, new Map(namesOf(planted)))).toContain(BOTH);
});

test.each([
  ['materialized', `with named as materialized (${BOTH}) select o.id from named join orders o on o.id = named.id for update of o`],
  ['recursive', `with recursive named as (${BOTH}) select o.id from named join orders o on o.id = named.id for update of o`],
  ['only asked for', `select o.id from orders o where exists (${BOTH}) for update of o`],
  ['read from rows that are locked elsewhere', `with mine as (select id from orders for update) select * from (${BOTH}) x`],
])('one that is %s is not', (_what, text) => {
  expect(unionsBesideLocks(text)).toEqual([]);
});
