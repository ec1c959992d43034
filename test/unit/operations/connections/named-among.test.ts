import { expect, test } from 'vitest';
import { namedAmong, shortId, storeNames } from '../../../../src/operations/connections/known-connection.ts';

const one = (id: string, name: string, closedAt: string | null = null) => ({ id, name, closedAt });
const closed = '2026-11-01T00:00:00.000Z';
const all = [one('c_0660001111', 'Corner'), one('c_0660002222', 'Чаши'), one('c_7770003333', 'Corner', closed), one('c_888', 'Чаши')];
const ids = (named: string) => namedAmong(all, named).map(({ id }) => id);

test('an id, its beginning, or a name in any case', () => {
  expect(ids('c_0660002222')).toEqual(['c_0660002222']);
  expect(ids('c_777')).toEqual(['c_7770003333']);
  expect(ids('corner ')).toEqual(['c_0660001111']);
  expect([ids('c_'), ids('c_9'), ids('nobody'), ids('')]).toEqual([[], [], [], []]);
});

test('what fits several is all of them, so that nothing is done to the wrong one', () => {
  expect(ids('c_0660')).toEqual(['c_0660001111', 'c_0660002222']);
  expect(ids('ЧАШИ')).toEqual(['c_0660002222', 'c_888']);
});

test('a live connection goes before a disconnected one of the same name, which its id names', () => {
  expect(ids('Corner')).toEqual(['c_0660001111']);
  expect(namedAmong([one('c_1', 'Old', closed)], 'old')).toHaveLength(1);
});

test('stores of one name are told apart by the beginning of their ids', () => {
  const nameOf = storeNames([...all, one('c_5', 'Alone')]);

  expect([nameOf('c_0660001111'), nameOf('c_7770003333'), nameOf('c_5'), nameOf('c_gone')]).toEqual([
    'Corner (c_0660001)',
    'Corner (c_777000)',
    'Alone',
    'c_gone',
  ]);
  expect(shortId('c_0660001111', ['c_0660001111', 'c_0660002222'])).toBe('c_0660001');
});
