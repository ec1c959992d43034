import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limits } from '../../../src/contract/limits.ts';
import { createOrderDto, PAYMENT_TYPES, RETURN_PAYMENT_METHODS, VAT_GROUPS } from '../../../src/contract/order-dto.ts';
import { createShopDto } from '../../../src/contract/shop-dto.ts';
import { problems } from '../../../src/service/http/http-problem.ts';
import { vatRateOn } from '../../../src/service/law/vat-rates.ts';

const page = readFileSync(new URL('../../../docs/compliance-api.md', import.meta.url), 'utf8');

test.each(Object.entries(problems))('the page lists the problem %s and its status', (code, { status }) => {
  expect(page).toContain(`| \`${code}\` | ${status} |`);
});

test.each(VAT_GROUPS)('the page has the rate of %s', (group) => {
  expect(page).toContain(`| \`${group}\` | ${vatRateOn(group, '2026-11-20')} % |`);
});

test.each([...PAYMENT_TYPES, ...RETURN_PAYMENT_METHODS])('the page lists %s', (value) => {
  expect(page).toContain(`\`${value}\``);
});

test.each([...Object.keys(createShopDto.shape), ...Object.keys(createOrderDto.shape)])('the page has a row for the field %s', (field) => {
  expect(page).toContain(`\n| \`${field}\` |`);
});

test.each(Object.keys(createOrderDto.shape.lineItems.element.shape))('the page has a row for lineItems[].%s', (field) => {
  expect(page).toContain(`\n| \`lineItems[].${field}\` |`);
});

test.each(Object.entries(limits))('the page has the limit of %s', (_name, limit) => {
  expect(page).toMatch(new RegExp(`\\b${limit}\\b`));
});
