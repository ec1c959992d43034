import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/service/audit/audit-file.ts';
import { auditRules } from '../../../../src/service/audit/format/audit-rules.ts';
import { FindingList } from '../../../../src/service/audit/format/finding-list.ts';
import { findingWords } from '../../../../src/service/audit/summary/finding-sections.ts';
import { finding, month, textOf as summaryOf } from './audit-summary-month.ts';

const textOf = (warnings: readonly Finding[]) => summaryOf(month({ warnings }));

describe('a finding in the summary', () => {
  test.each(Object.keys(auditRules))('has words in Bulgarian: %s', (rule) => {
    const { title, advice } = findingWords(finding({ rule, words: 'english', advice: 'english' }));

    for (const words of [title, advice]) expect(words).toMatch(/^\p{Script=Cyrillic}.*\.$/u);
  });

  test('of an unknown rule keeps its own words', () => {
    const text = textOf([finding({ rule: 'later.rule', order: null, words: 'Something odd.', advice: 'Look at it.' })]);

    expect(text).toContain('* Something odd.\n  Какво да направите: Look at it.');
  });

  test('is shown once for all orders that have it', () => {
    const text = textOf([
      finding({ rule: 'article.name-cut', order: '#1' }),
      finding({ rule: 'article.name-cut', order: '#2' }),
      finding({ rule: 'article.name-cut', order: '#2' }),
    ]);

    expect(text.match(/Наименование на стока е съкратено/g)).toHaveLength(1);
    expect(text).toContain('Поръчки: #1, #2\n');
  });

  test('of very many orders names ten and counts the others, also those that were only counted before', () => {
    const list = new FindingList();
    for (let i = 1; i <= 150; i += 1) list.add('article.name-cut', { words: 'long', order: `#${i}` });

    const text = textOf(list.all());

    expect(text).toContain('#9, #10 и още 140\n');
  });
});
