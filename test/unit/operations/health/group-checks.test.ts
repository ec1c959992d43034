import { expect, test } from 'vitest';
import { ofStores } from '../../../../src/operations/health/check.ts';
import { grouped, ungrouped } from '../../../../src/operations/health/group-checks.ts';
import type { FailedCheck } from '../../../../src/operations/health/health-status.ts';

const REFUSED = 'its API refuses the key';

function paused(n: number, changes: Partial<FailedCheck> = {}): FailedCheck {
  const nothing = { count: null, total: null, since: `2026-11-22T08:00:0${n % 10}.000Z`, verb: 'connections' } as const;
  const of = { cause: REFUSED, names: [`store ${n}`] };
  return { code: 'store.paused', level: 'attention', subject: `c_${n}`, words: `store ${n}: 401`, ...nothing, of, ...changes };
}

const byNumber = (a: FailedCheck, b: FailedCheck) => Number(a.subject?.slice(2)) - Number(b.subject?.slice(2));
const many = (count: number) => Array.from({ length: count }, (_, n) => paused(n + 1));

test('three stores of one cause are told one by one', () => {
  expect(grouped(many(3))).toEqual(many(3));
});

test('1,990 are told as one: how many they are, the latest three by name, why, since when, and the command that lists all', () => {
  const [one, ...others] = grouped(many(1_990));

  expect(others).toEqual([]);
  expect(one).toMatchObject({
    code: 'store.paused',
    level: 'attention',
    subject: REFUSED,
    count: null,
    since: '2026-11-22T08:00:00.000Z',
    verb: 'connections',
  });
  expect(one?.words).toBe('1,990 stores (store 9, store 19, store 29 and 1987 more): its API refuses the key. One of them: store 9: 401');
  expect(one === undefined ? '' : ofStores(one, 'Магазин отказва ключа.')).toBe(
    '1990 магазина (store 9, store 19, store 29 и още 1987): магазин отказва ключа.',
  );
  expect(ungrouped(grouped(many(1_990))).toSorted(byNumber)).toEqual(many(1_990));
});

test('another cause or code is another line, and so is what concerns all', () => {
  const all: FailedCheck[] = [
    ...many(4),
    ...many(4).map((one) => ({ ...one, of: { cause: 'its API hangs or fails', names: ['a'] } })),
    ...many(4).map((one) => ({ ...one, code: 'store.unread' })),
    ...many(4).map(({ of: _, ...one }) => one),
  ];

  expect(grouped(all).map(({ members = [] }) => members.length)).toEqual([4, 4, 4, 0, 0, 0, 0]);
});

test('what is failing and what is not are one, which is failing and names a failing one first', () => {
  const failing = paused(5, { level: 'failing', since: null });

  expect(grouped([...many(4), failing])).toMatchObject([{ level: 'failing', of: { names: ['store 5', 'store 4', 'store 3', 'store 2', 'store 1'] } }]);
});

test('what each counts is added up', () => {
  expect(grouped(many(4).map((one) => ({ ...one, count: 3 })))).toMatchObject([{ count: 12 }]);
});
