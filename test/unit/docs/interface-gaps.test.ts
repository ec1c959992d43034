import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const gap = z.strictObject({ id: z.string(), section: z.string(), notShown: z.boolean(), words: z.string().min(5) });
const gaps = z.array(gap).parse(JSON.parse(readFileSync(join(root, 'test/fixtures/interface-gaps/gaps.json'), 'utf8')));
const rows = rowsOf(readFileSync(join(root, 'docs/compliance-api.md'), 'utf8'));

/** The document itself is beside the project on some machines only. */
const DOCUMENT = join(root, '../shared/spec-compliance-service.md');

describe('the decisions', () => {
  test('have a row for every gap, and no other', () => {
    expect(rows.map(({ id }) => id)).toEqual(gaps.map(({ id }) => id));
  });

  test.each(rows)('$id says what, why and where', ({ place, decision, why }) => {
    for (const cell of [place, decision, why]) expect(cell.length).toBeGreaterThan(4);
    expect(decision.toLowerCase()).not.toContain('not shown');
  });

  test.each(rows)('$id names places that exist', ({ where }) => {
    const named = [...where.matchAll(/`([^`]+)`|\]\(([^)]+)\)/g)].map(([, path, page]) => path ?? `docs/${page?.replace(/#.*/, '')}`);

    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('18 of them are for a “not shown”', () => {
    expect(gaps.filter(({ notShown }) => notShown)).toHaveLength(18);
    for (const { notShown, words } of gaps) expect(words.includes('not shown')).toBe(notShown);
  });
});

describe.runIf(existsSync(DOCUMENT))('the document, where it lies', () => {
  const document = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';

  test('says “not shown” as often as the list of gaps does', () => {
    expect(document.split('not shown').length - 1).toBe(gaps.filter(({ notShown }) => notShown).length);
  });

  test.each(gaps)('$id is in its words', ({ words }) => {
    expect(document).toContain(words);
  });
});

function rowsOf(page: string) {
  return page
    .split('\n')
    .filter((line) => /^\| [A-Z]\d+ \|/.test(line))
    .map((line) => {
      const [id = '', place = '', decision = '', why = '', where = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { id, place, decision, why, where };
    });
}
