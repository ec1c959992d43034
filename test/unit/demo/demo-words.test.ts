import { expect, test } from 'vitest';
import { demoStores } from '../../../src/demo/demo-stores.ts';
import { demoTime } from '../../../src/demo/demo-time.ts';
import { inLanguage } from '../../../src/demo/demo-words.ts';

const goods = (lang: 'en' | 'bg') =>
  JSON.stringify(inLanguage(demoStores(demoTime(0)), lang))
    .match(/"(?:title|name)":"[^"]*"/g)
    ?.filter((one) => /[А-Яа-я]/.test(one)) ?? [];

test('stores and goods of the demo are called in the language of who looks at it', () => {
  expect(goods('en')).toEqual([]);
  expect(goods('bg').length).toBeGreaterThan(20);
  expect(inLanguage('Сова', 'en')).toBe('Sova');
});
