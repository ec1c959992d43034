import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { textWidth } from '../../../../src/platform/terminal/text-table.ts';

test('each character is as wide as the package says that knows them all, beside a letter, too', () => {
  const differing: string[] = [];
  for (let code = 0; code < 0x3000; code += 1) {
    const one = String.fromCodePoint(code);
    for (const text of [one, `a${one}`, `${one}я`]) if (textWidth(text) !== stringWidth(text)) differing.push(code.toString(16));
  }

  expect(differing).toEqual([]);
});

test('an emoji and a Chinese character take two columns', () => {
  expect(['👍', '漢', 'я', 'a👍'].map(textWidth)).toEqual([2, 2, 1, 3]);
});
