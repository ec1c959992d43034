import { expect, test } from 'vitest';
import { markOf, markText } from '../../../src/operations/activity/tail.ts';

const at = '2026-11-23T06:30:41.123Z';

test.each(['700:700:', '700:705:700', '700:712:701,704,711'])('a mark with the snapshot %s is read as it was written', (snapshot) => {
  expect(markOf(markText({ at, snapshot }))).toEqual({ at, snapshot });
});

test('one with very many writers names the oldest alone, so that it fits into an address and nothing is missed', () => {
  const running = Array.from({ length: 400 }, (_, n) => 1_000_000 + n);

  const text = markText({ at, snapshot: `1000000:1000400:${running.join(',')}` });

  expect(text.length).toBeLessThan(2_000);
  expect(markOf(text)).toEqual({ at, snapshot: '1000000:1000000:' });
});

test.each([
  '',
  at,
  `${at}/`,
  `${at}/0:0:`,
  `${at}/2:1:`,
  `${at}/1:3:2,1`,
  `${at}/1:3:3`,
  `${at}/1:3:2,`,
  `${at}/1:3:2\n`,
  `2026-02-30T00:00:00.000Z/1:1:`,
  `${at}/1:${'9'.repeat(19)}:`,
])('%j is no mark', (text) => {
  expect(markOf(text)).toBeNull();
});
