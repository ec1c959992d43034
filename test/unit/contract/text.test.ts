import { expect, test } from 'vitest';
import { createShopDto } from '../../../src/contract/shop-dto.ts';
import { isPlainName } from '../../../src/contract/text.ts';

test.each([
  'Чаши ЕООД',
  'ЕТ „Д.Петров – Г.Иванов“',
  'А.Б.В. ООД',
  'Dr. Max 24/7',
  'M@gic & Co.',
  'No.1 Обувки, гр.София',
  'e.l.f.',
  'Магазин 2026.11',
  'Firm 206770508',
  '',
])('%s is a name', (name) => {
  expect(isPlainName(name)).toBe(true);
});

test.each([
  'evil.example',
  'Your bank: http://evil.example/login',
  'see https://localhost',
  'boss@evil.example',
  'evil。example',
  'evil．com',
  'ev\u00adil.\u200bcom',
  'чаши.бг now',
  'чаши.com',
  'пример.рф',
  'a.xn--p1ai',
  '127.0.0.1',
  'mailto:boss',
  'Call +359 2 123 4567',
  'тел. 0888/123-456',
  'two\nlines',
  'two\u2028lines',
  'left\u202eright',
  'bell\u0007',
])('%j is none', (name) => {
  expect(isPlainName(name)).toBe(false);
});

test('the shop, its company and its postal address lead nowhere, and an address may have lines', () => {
  const { name, companyName, companyAddress } = createShopDto.shape;
  const words = (field: typeof name, value: string) => field.safeParse(value).error?.issues[0]?.message;

  expect(words(name, 'evil.example')).toBe('must have no web or e-mail address and no telephone number; put a space after a dot');
  expect(words(companyName, 'a\u202eb')).toBe('must be one line, without characters that change the direction of what is read');
  expect([companyAddress.safeParse('ул.Шипка 1, бл.2\nгр.София 1000').success, companyAddress.safeParse('ул. Шипка 1, cups.example').success]).toEqual([
    true,
    false,
  ]);
});

test.each([
  ['ПИ 07079.605.123, Бургас', true],
  ['София, обект 68134.1600.123.1.5', true],
  ['имот 07079.605.123.1.', true],
  ['тел. 0707.960.5123', false],
  ['07079.605.123.com', false],
  ['07079.605.123456', false],
  ['68134.127.0.0.1.1', false],
])('%s is a postal address: %s', (address, is) => {
  expect(createShopDto.shape.companyAddress.safeParse(address).success).toBe(is);
});

test('a hostile name is looked at quickly', () => {
  const start = process.cpuUsage();

  for (const part of ['0 ( ', '1 ', 'a.', '.', '+ -', 'ж.']) expect(isPlainName(part.repeat(100_000))).toBe(!part.startsWith('0'));
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
});
