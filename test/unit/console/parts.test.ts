import { expect, test } from 'vitest';
import { datedWords, namedOptions, pageWords, problemText, storeLink, withoutCommands } from '../../../src/console/frame/parts.ts';

test.each([
  ['1 unconfirmed order: the reply was lost; look at the compliance service, then `orderbridge confirm`', '1 unconfirmed order: the reply was lost'],
  ['The signature matches no live secret (`orderbridge rotate-secret`).', 'The signature matches no live secret.'],
  [
    'If it moved there, say so (`orderbridge reconnect C --moved H`) and send it again. If not, wait.',
    'If it moved there, say so and send it again. If not, wait.',
  ],
  ['the webhooks stopped; see `/admin/queues`', 'the webhooks stopped; see `/admin/queues`'],
])('beside a button, “%s” names no command', (words, left) => {
  expect(withoutCommands(words)).toBe(left);
});

test.each([
  ['1 order in review, vat.unmapped: A VAT rate has no group.', '1 order in review: A VAT rate has no group.'],
  ['vat.example: signature.mismatch: the last 3 were refused', 'vat.example: the last 3 were refused'],
  ['webhooks name the host a.example, and are quarantined (store.other)', 'webhooks name the host a.example, and are quarantined'],
  ['one order of “Shop 2025-12” (2026-57, 2026-02-30) since 2026-11-16T08:00:00Z', 'one order of “Shop 2025-12” (2026-57, 2026-02-30) since 16 Nov, 10:00'],
  ['it answered 2026-99-99T99:99:99Z, 2026-02-30T08:00:00Z', 'it answered 2026-99-99T99:99:99Z, 2026-02-30T08:00:00Z'],
])('a page says “%s” without codes, and with instants as people write them', (words, said) => {
  // The year is named where it is not this one.
  expect(pageWords(words, 'en').replace(/(?<=16 Nov) \d{4}/, '')).toBe(said);
});

test.each([
  ['2026-10 was not filed (2026-11-15): Shop 2025-12, Ski 2026-27', 'October 2026 was not filed (15 November 2026): Shop 2025-12, Ski 2026-27'],
  ['the sheet of 2026-02-30, 2026-13 was missed', 'the sheet of 2026-02-30, 2026-13 was missed'],
])('where words name days, a page says “%s” with days as people write them', (words, said) => {
  expect(datedWords(words, 'en')).toBe(said);
});

test('the name of a store leads to its page, for those who may see that', () => {
  const store = { id: 'c_1', name: 'Corner' };

  expect(storeLink(store, { role: 'viewer' }).markup).toBe('<a href="/console/stores/c_1">Corner</a>');
  expect(storeLink(store, { role: 'accountant' }).markup).toBe('Corner');
});

test('sums in why something waits are written as in columns, and what a service said stays as it is', () => {
  const mismatch = { code: 'total.mismatch', detail: 'The lines add up to 18.00 EUR, the order to 19.00 EUR.' };

  expect(problemText(mismatch, 'en')).toBe('The lines add up to €18.00, the order to €19.00.');
  expect(problemText(mismatch, 'bg').replaceAll('\u00a0', ' ')).toBe('Редовете дават 18,00 €, а поръчката е за 19,00 €.');
  expect(problemText({ code: 'compliance.refused', detail: '18.00 EUR is too much' }, 'en')).toBe('18.00 EUR is too much');
});

test('why something waits names no command', () => {
  const keyless = { code: 'storefront.refused', detail: 'the connection has no REST key; give the store’s whole key with `orderbridge reconnect`' };

  expect(problemText(keyless, 'en')).toBe('the connection has no REST key');
});

test('stores to choose from are in the order of their names, and numbers of their size', () => {
  expect(namedOptions(['Shop 10', 'Ивана', 'Shop 2'].map((name) => ({ id: name, name }))).map(([, name]) => name)).toEqual(['Ивана', 'Shop 2', 'Shop 10']);
});
