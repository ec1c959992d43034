import { expect, test } from 'vitest';
import { foldLine } from '../../../../src/platform/terminal/text-table.ts';

test('a line that fits stays as it is', () => {
  expect(foldLine('  one   two', 20)).toEqual(['  one   two']);
});

test('a line is broken at spaces, and goes on under its beginning', () => {
  expect(foldLine('  a word and another word', 16)).toEqual(['  a word and', '  another word']);
  expect(foldLine('! Corner: its webhooks are refused', 20)).toEqual(['! Corner: its', '  webhooks are', '  refused']);
  expect(foldLine('2. Place a test order there', 18)).toEqual(['2. Place a test', '   order there']);
});

test('a field goes on under its value', () => {
  expect(foldLine('state  recorded: the tax record exists', 24)).toEqual(['state  recorded: the tax', '       record exists']);
});

test('a command stays whole where it fits on a line, so that it can be copied', () => {
  expect(foldLine('then do `orderbridge release id:7` at once', 30)).toEqual(['then do', '`orderbridge release id:7` at', 'once']);
  expect(foldLine('`orderbridge release id:7 --keep` now', 20)).toEqual(['`orderbridge release', 'id:7 --keep` now']);
});

test('an address is never broken', () => {
  expect(foldLine('at https://bridge.example/webhooks/standard/c_1', 20)).toEqual(['at', 'https://bridge.example/webhooks/standard/c_1']);
});
