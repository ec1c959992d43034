import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';
import { checksInBulgarian } from '../../src/cli/words/checks.ts';
import { columnsInBulgarian } from '../../src/cli/words/columns.ts';
import { plantTree } from '../support/servers/planted-tree.ts';

const repository = join(import.meta.dirname, '../..');

/** Files that hold sentences outside `src/cli/words`, and why. A file that holds none any more is taken out. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/cli/input/order-input.ts': 'the help of an argument',
  'src/cli/input/secret-flags.ts': 'the help of options',
  'src/cli/input/shop-fields.ts': 'the help of options',
  'src/cli/input/store-access.ts': 'parts of what was mistyped',
  'src/cli/language.ts': 'before the language is known',
  'src/cli/output/new-file.ts': 'a file that was mistyped',
  'src/cli/run-cli.ts': 'the help',
  'src/cli/settle-many.ts': 'what the trail keeps',
  'src/cli/text/completion-script.ts': 'a script',
  'src/cli/text/log-line.ts': 'lines of the log',
  'src/cli/commands/delivery.ts': 'the help of an argument',
  'src/cli/actions/people.ts': 'states, which words/cells.ts has',
  'src/cli/commands/proposals.ts': 'the help of an argument',
  'src/cli/actions/status.ts': 'the detail of an error',
  'src/cli/commands/service/keys.ts': 'the help of options',
  'src/cli/actions/service/orders.ts': 'a cell, which words/cells.ts has',
  'src/cli/actions/service/audit-months.ts': 'a cell, which words/cells.ts has',
  'src/cli/commands/service/audit-show.ts': 'the help of options',
  'src/cli/text/order-text.ts': 'a cell, which words/cells.ts has',
};

type Swc = { type?: string; value?: unknown; quasis?: { cooked: string | null }[]; expressions?: unknown; callee?: Swc & { property?: Swc; object?: Swc } };
const HELP = new Set(['description', 'argument', 'option', 'requiredOption', 'summary', 'addHelpText', 'usage']);
const MISTYPED = new Set(['Option', 'Argument', 'InvalidArgumentError', 'Mistyped']);

/** The texts of a file but those of its help and of what was mistyped, with `…` for what is put in. */
function* textsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null || isNoText(node)) return;
  const { type, value, quasis = [], expressions, callee } = node as Swc;
  if (type === 'StringLiteral' && typeof value === 'string') yield value;
  if (type === 'TemplateLiteral') {
    yield quasis.map(({ cooked }) => cooked ?? '').join('…');
    yield* textsIn(expressions);
    return;
  }
  if (type === 'CallExpression' && callee?.type === 'MemberExpression' && HELP.has(String(callee.property?.value))) {
    yield* textsIn(callee.object);
    return;
  }
  for (const child of Object.values(node)) yield* textsIn(child);
}

function isNoText(node: Swc & { key?: Swc; elements?: ({ expression?: Swc } | null)[] }): boolean {
  const { type = '', callee, key, elements = [] } = node;
  if (/^(?:Import|Export)Declaration$|^ExportNamed|^Ts(?:Type|Literal|Union|Indexed)/.test(type) && type !== 'ExportDeclaration') return true;
  if (type === 'CallExpression' && (callee as Swc | undefined)?.type === 'Import') return true;
  if (type === 'NewExpression') return MISTYPED.has(String(callee?.value));
  if (type === 'KeyValueProperty') return key?.value === 'summary';
  return type === 'ArrayExpression' && /^(?:--|<|\[)/.test(String(elements[0]?.expression?.value ?? ''));
}

/** Columns and checks are translated where they are printed. */
const named = new Set<string>([...Object.keys(columnsInBulgarian), ...Object.keys(checksInBulgarian)]);

/** Two English words beside each other, or one beside what is put in; what is typed, between backticks or after the program's name, is no sentence. */
function isSentence(text: string): boolean {
  if (named.has(text) || /^(?:\s*\$ )?(?:\.\/)?orderbridge |^--\w+|^[\w.]+$|^\.\.?\//.test(text)) return false;
  return /[a-z]{2}[,;:.]? +[a-z]{2}|[a-z]{3}[,:]? …|… [a-z]{2}/i.test(text.replace(/`[^`]*`/g, ''));
}

function strays(root: string): Map<string, string[]> {
  const files = globSync('src/cli/**/*.ts', { cwd: root }).filter((file) => !file.includes('/words/'));
  const found = files.map((file): [string, string[]] => [
    file,
    [...textsIn(parseSync(readFileSync(join(root, file), 'utf8'), { syntax: 'typescript' }))].filter(isSentence),
  ]);
  return new Map(found.filter(([, texts]) => texts.length > 0));
}

test('what commands say is in the tables of src/cli/words, in both languages', () => {
  const found = strays(repository);
  for (const file of Object.keys(EXCEPTIONS)) expect.soft(found.has(file), `${file} holds no sentence any more`).toBe(true);
  expect([...found].filter(([file]) => !(file in EXCEPTIONS))).toEqual([]);
});

test('and a sentence that is planted beside them is found', async () => {
  await using tree = await plantTree(
    {
      'src/cli/commands/loud.ts': "export const loud = (print) => print('All is well.');\n",
      'src/cli/commands/filled.ts': `export const filled = (print, id) => print(\`The order \${id} is gone\`);\n`,
      'src/cli/commands/help.ts': "export const help = (command) => command.description('Says that all is well.').option('--all', 'all of it');\n",
      'src/cli/commands/typed.ts': "export const typed = () => new Mistyped('say which one');\n",
      'src/cli/commands/next.ts': `export const next = (id) => \`orderbridge release \${id} --why words\`;\n`,
      'src/cli/words/en.ts': "export const en = { well: 'All is well.' };\n",
    },
    [],
  );

  expect([...strays(tree.root).keys()].sort()).toEqual(['src/cli/commands/filled.ts', 'src/cli/commands/loud.ts']);
});
