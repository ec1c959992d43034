import { expect, test } from 'vitest';
import { createShopDto } from '../../../src/contract/shop-dto.ts';

const { domain } = createShopDto.shape;

test.each([
  'cups.example',
  'sub.cups.example',
  'чаши.бг',
  'https://cups.example',
  'http://cups.example/',
  'https://market.example/shops/cups?x=1',
  'cups.example:8443',
])('%s is a domain', (value) => {
  expect(domain.safeParse(value).success).toBe(true);
});

test.each(['cups', 'cups .example', 'cups..example', '-cups.example', 'ftp://cups.example', 'https://', 'cups.example/a b', `${'a'.repeat(200)}.example`])(
  '%s is none',
  (value) => {
    expect(domain.safeParse(value).success).toBe(false);
  },
);

test('a hostile domain is refused quickly', () => {
  const start = process.cpuUsage();

  expect(domain.safeParse(`${'a-'.repeat(95)}a!`).success).toBe(false);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
});
