import { expect, test } from 'vitest';
import { namedSubject } from '../../../src/operations/activity/list-activity.ts';

const [MARIA, SHOP, UNKNOWN] = ['1d54bfbd-e65d-4c0e-9a4a-0123456789ab', '1d54bfbd-e65d-4c0e-9a4a-0123456789ac', '1d54bfbd-e65d-4c0e-9a4a-0123456789ad'];

test.each([
  [MARIA, 'Maria'],
  [`${SHOP} 2026-10`, 'Corner 2026-10'],
  [UNKNOWN, UNKNOWN],
  ['records', 'records'],
])('%s is %s to people', (subject, named) => {
  const names = new Map([
    [`person:${MARIA}`, 'Maria'],
    [SHOP ?? '', 'Corner'],
  ]);

  expect(namedSubject(subject ?? '', names)).toBe(named);
});
