import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const CTE = /(?<recursive>\brecursive\s+)?(?<name>\w+) as \(/g;
const LOCKS = /\bfor (no key )?update\b|\bfor (key )?share\b/;

/** From the parenthesis at `at` to its end. */
function bodyAt(text: string, at: number): string {
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth === 0) return text.slice(at, end);
  }
  return text.slice(at);
}

/** Names of unions beside which rows are locked: where a row changed while its lock was waited for, PostgreSQL takes what is joined to it from the first part alone. */
function unionsBesideLocks(text: string): string[] {
  return [...text.matchAll(CTE)].flatMap(({ 0: head, index, groups }) => {
    const [recursive, name = ''] = [groups?.['recursive'], groups?.['name']];
    const at = index + head.length - 1;
    const body = bodyAt(text, at);
    const rest = text.slice(at + body.length).split(/;|`,?\n/)[0] ?? '';
    return recursive === undefined && /\bunion\b/.test(body) && new RegExp(`\\b${name}\\b`).test(rest) && LOCKS.test(rest) ? [name] : [];
  });
}

test('a union that is joined to locked rows is materialized', () => {
  const found = globSync('**/*.{ts,sql}', { cwd: source }).flatMap((file) =>
    unionsBesideLocks(readFileSync(join(source, file), 'utf8')).map((name) => `${file}: ${name}`),
  );

  expect(found).toEqual([]);
  const planted = 'with named as (select 1 as id union all select 2) select o.id from named join orders o on o.id = named.id for update of o';
  expect(unionsBesideLocks(planted)).toEqual(['named']);
  expect(unionsBesideLocks(planted.replace('as (', 'as materialized ('))).toEqual([]);
});
