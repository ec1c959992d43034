import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';

test.each([
  ['en', 'More than 10,000 match'],
  ['bg', 'Намерени са повече от 10\u00a0000:'],
] as const)('how many orders may be chosen is written as readers of %s write numbers', (lang, written) => {
  expect(wordsIn(lang).orders.bulk.tooMany(10_000)).toContain(written);
});
