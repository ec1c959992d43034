import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { payloadTree } from '../../../src/console/pages/webhooks/payload-tree.ts';

const tree = (value: unknown) => payloadTree(value, wordsIn('en')).markup;

test('each value with its name; what has parts opens and closes; markup stays text', () => {
  const markup = tree({ id: 7, note: '<b>x', lines: [{ ok: true, none: null }], empty: {}, list: [] });

  for (const said of [
    '<b>id</b> <code>7</code>',
    '<code>&quot;&lt;b&gt;x&quot;</code>',
    '<code>true</code>',
    '<code>null</code>',
    '<code>{}</code>',
    '<code>[]</code>',
  ])
    expect(markup).toContain(said);
  expect(markup).toContain('<details open><summary><b>lines</b> <span class="soft">[1]</span></summary>');
  expect(markup).not.toContain('<b>x');
});

test('a long list is closed, and what is beyond the bound is counted', () => {
  const markup = tree({ before: 1, many: Array.from({ length: 10_000 }, (_, n) => n), after: 'z'.repeat(5_000) });

  expect(markup).toContain('<details><summary><b>many</b>');
  expect(markup.match(/<code>/g)?.length).toBeLessThanOrEqual(3_000);
  expect(markup).toContain('… and 7,003 more');
  expect(markup).toContain('… and 1 more');
  expect(markup.length).toBeLessThan(400_000);
});

test('a long text is cut', () => {
  expect(tree('z'.repeat(5_000))).toContain(`${'z'.repeat(1_999)}…`);
});

test('a deep payload is a tree, too', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 99; level += 1) deep = { a: deep };

  expect(tree(deep).match(/<details/g)).toHaveLength(99);
});
