/**
 * An edge calls of the two programs only what changes nothing and shows nobody's data: finds SQL that writes, locks or reads personal data and that a
 * file of an edge reaches without an operation; exit code 1 if there is any. `node scripts/lint-edges.ts src`
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModuleItem, parseSync } from '@swc/core';

const folder = process.argv[2] ?? 'src';
const EDGES = 'cli,console,connect';
/** Where the way ends: at operations; at the composition root, which wires what works without a person; and at the demo, which plays the stores. */
const DOORS = new RegExp(`^${folder}/(${EDGES.replaceAll(',', '|')}|operations|app|demo)/`);

const WRITES =
  /\b(insert\s+into|update\s+[\w."]+(\s+(as\s+)?\w+)?\s+set|delete\s+from|merge\s+into|truncate\s+\w|for\s+(no\s+key\s+)?update|for\s+(key\s+)?share|pg_notify|nextval)\b/i;
/** Buyers; people who sign in, and their rights; merchants; and raw webhooks, which have buyers. */
const PERSONAL = new RegExp(
  [
    /\b(from|join)\s+(customers|privacy_exports|privacy_export_orders|people|passkeys|sessions|sign_in_links|onboardings|onboarding_links|inbox|compliance\.withdrawn_receipts)\b/,
    /\bbody\b[\s\S]*\bfrom\s+deliveries\b|\bfrom\s+deliveries\b[\s\S]*\bbody\b/,
    /\b(o|orders)\.customer\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Functions of the database that may write. */
const writers = globSync(`${folder}/**/*.sql`).flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/create (?:or replace )?function ([\w.]+)\(([\s\S]*?)\$\$/g)].flatMap(([, name = '', head = '']) =>
    /\b(stable|immutable)\b/.test(head) ? [] : [name],
  ),
);

type Import = { file: string; name: string };
/** `named`: the words that it uses. `literals`: its texts, with a word for each value put in. */
type Declared = { named: ReadonlySet<string>; literals: readonly string[] };
type Source = { imports: ReadonlyMap<string, Import>; declared: ReadonlyMap<string, Declared>; whole: Declared; loaded: readonly Loaded[] };
/** `names`: what is taken of it; null: all. */
type Loaded = { path: string; names: readonly string[] | null };

const sources = new Map<string, Source>();
const files = globSync(`${folder}/{${EDGES}}/**/*.ts`).sort();
const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${folder}: no problem found in ${files.length} files of edges`);

function problemsOf(file: string): string[] {
  const { imports, whole, loaded } = sourceOf(file);
  const names = [...imports].flatMap(([local, from]) => (whole.named.has(local) ? [from] : []));
  const all = loaded.flatMap(({ path, names: taken }) =>
    DOORS.test(path) ? [] : (taken ?? [...sourceOf(path).declared.keys()]).map((name) => ({ file: path, name })),
  );
  return [...names, ...all].flatMap((from) => {
    const problem = problemOf(from, new Set());
    return problem === null ? [] : [`${file}: ${from.name} of ${from.file} ${problem}: an operation must do it`];
  });
}

/** What is wrong with reaching it; null: nothing. */
function problemOf({ file, name }: Import, seen: Set<string>): string | null {
  if (DOORS.test(file) || seen.has(`${file} ${name}`)) return null;
  seen.add(`${file} ${name}`);
  const { imports, declared } = sourceOf(file);
  const own = declared.get(name);
  if (own === undefined) return null;
  const said = own.literals.flatMap((text) => wrongOf(text) ?? [])[0];
  if (said !== undefined) return said;
  for (const used of own.named) {
    const problem = problemOf(imports.get(used) ?? { file, name: used }, seen);
    if (problem !== null) return problem;
  }
  return null;
}

function wrongOf(text: string): string | null {
  if (WRITES.test(text) || writers.some((name) => text.includes(`${name}(`))) return 'writes or locks';
  return PERSONAL.test(text) ? 'reads personal data' : null;
}

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' });
  const imports = new Map(body.flatMap((item) => importsOf(item, file)));
  const declared = new Map(body.flatMap(declarationsOf));
  const source = {
    imports,
    declared,
    whole: usedIn(body),
    loaded: loadedBy(body)
      .map((one) => ({ ...one, path: pathOf(file, one.path) ?? '' }))
      .filter(({ path }) => path !== ''),
  };
  sources.set(file, source);
  return source;
}

/** Without types. */
function importsOf(item: ModuleItem, file: string): [string, Import][] {
  if (item.type !== 'ImportDeclaration' || item.typeOnly) return [];
  const path = pathOf(file, item.source.value);
  if (path === null) return [];
  return item.specifiers.flatMap((one): [string, Import][] =>
    one.type === 'ImportSpecifier' && !one.isTypeOnly ? [[one.local.value, { file: path, name: one.imported?.value ?? one.local.value }]] : [],
  );
}

function pathOf(file: string, specifier: string): string | null {
  return specifier.startsWith('.') && specifier.endsWith('.ts') ? join(dirname(file), specifier) : null;
}

function declarationsOf(item: ModuleItem): [string, Declared][] {
  const it = item.type === 'ExportDeclaration' ? item.declaration : item;
  if (it.type === 'FunctionDeclaration' || it.type === 'ClassDeclaration') return [[it.identifier.value, usedIn(it)]];
  if (it.type !== 'VariableDeclaration') return [];
  const used = usedIn(it);
  return it.declarations.flatMap(({ id }) => [...usedIn(id).named].map((name): [string, Declared] => [name, used]));
}

function usedIn(node: unknown): Declared {
  const [named, literals] = [new Set<string>(), [] as string[]];
  const visit = (one: unknown): void => {
    if (typeof one !== 'object' || one === null || isType(one)) return;
    if (isNode(one, 'Identifier')) named.add(String(one['value']));
    if (isNode(one, 'StringLiteral')) literals.push(String(one['value']));
    if (isNode(one, 'TemplateLiteral')) literals.push((one['quasis'] as { cooked?: string }[]).map(({ cooked }) => cooked ?? '').join(' x '));
    for (const child of Object.values(one)) visit(child);
  };
  visit(node);
  return { named, literals };
}

/** What it loads when it runs. */
function loadedBy(node: unknown): Loaded[] {
  if (typeof node !== 'object' || node === null) return [];
  if (isNode(node, 'VariableDeclarator') && isNode(node['id'], 'ObjectPattern') && isNode(node['init'], 'AwaitExpression')) {
    const names = (node['id']['properties'] as { key?: { value: string } }[]).flatMap(({ key }) => key?.value ?? []);
    return loadedBy(node['init']).map((one) => ({ ...one, names }));
  }
  const [first] = isNode(node, 'CallExpression') && isNode(node['callee'], 'Import') ? (node['arguments'] as { expression: unknown }[]) : [];
  const own = isNode(first?.expression, 'StringLiteral') ? [{ path: String(first.expression['value']), names: null }] : [];
  return [...own, ...Object.values(node).flatMap(loadedBy)];
}

function isType(node: object): boolean {
  return 'type' in node && typeof node.type === 'string' && /^Ts(Type|Interface|KeywordType|FunctionType)/.test(node.type);
}

function isNode<T extends string>(node: unknown, type: T): node is { type: T } & Record<string, unknown> {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === type;
}
