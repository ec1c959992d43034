import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from './markdown-table.ts';

const SCHEMAS = {
  bridge: 'src/bridge/ledger/version-1.sql',
  compliance: 'src/service/database/version-1.sql',
  jobs: 'src/platform/jobs/version-1.sql',
};

/** What each table is and its columns, by the comments of the files that make them. `root` is the folder of the repository. */
export function schemaTables(root: string): string[] {
  return Object.entries(SCHEMAS).flatMap(([schema, path]) => {
    const rows = tablesIn(readFileSync(join(root, path), 'utf8')).map(({ name, means, columns }) => [`\`${name}\``, means, columns.join(', ')]);
    return [`## Schema \`${schema}\``, `Made by [${path}](../../${path}).`, '', ...markdownTable(['table', 'what it is', 'columns'], rows), ''];
  });
}

type Table = { name: string; means: string; columns: readonly string[] };

/** Throws for a table that no comment explains. */
export function tablesIn(sql: string): Table[] {
  const found = sql.matchAll(/((?:^--(?! ──) [^\n]*\n)*)^create table (?:\w+\.)?(\w+) \((?:([^\n]+)\);$|\n(.*?)\n\))/gms);
  return [...found].map(([, comment = '', name = '', line, lines = '']) => {
    const means = comment.replaceAll(/^-- /gm, '').trim().replaceAll('\n', ' ');
    if (means === '') throw new Error(`the table ${name} has no comment`);
    return { name, means, columns: columnsOf(line ?? lines) };
  });
}

/** “`id` uuid” of each; what is a condition of several columns is left out. */
function columnsOf(body: string): string[] {
  const parts = body.replaceAll(/\s*--.*$/gm, '').split(/,(?![^(]*\))\s*/);
  return parts.flatMap((part) => {
    const [, name, type] = /^\s*(\w+) (\w+(?:\[\])?)/.exec(part) ?? [];
    return name === undefined || CONDITIONS.has(name) ? [] : [`\`${name}\` ${type}`];
  });
}

const CONDITIONS: ReadonlySet<string> = new Set(['unique', 'primary', 'check', 'foreign', 'constraint', 'exclude']);
