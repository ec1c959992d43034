import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditSchema } from '../../../../src/service/audit/format/audit-validator.ts';

const page = readFileSync(new URL('../../../../docs/reference/audit-file.md', import.meta.url), 'utf8');

test('the page lists every element that has a value', () => {
  const elements = [...auditSchema.matchAll(/<xs:element name="(\w+)"/g)].map(([, name = '']) => name);
  const containers = ['audit'];

  for (const name of elements.filter((one) => !containers.includes(one))) expect.soft(page, name).toContain(`\`${name}\``);
  expect(elements.length).toBeGreaterThan(30);
});
