import { expect, test } from 'vitest';
import { localTime, withLocalTimes } from '../../../../src/platform/terminal/local-time.ts';

const now = new Date(2026, 10, 22);
const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).toISOString();

test('a time is that of the reader’s clock, with the year if it is another one', () => {
  expect(localTime(at(2026, 10, 21, 22, 15, 54), now)).toBe('21.11. 22:15:54');
  expect(localTime(at(2025, 0, 2, 3, 4, 5), now)).toBe('02.01.2025 03:04:05');
  expect(localTime('not known', now)).toBe('not known');
});

test('instants in a sentence are local, but not those that are typed', () => {
  const instant = at(2026, 10, 21, 22, 15, 54);

  expect(withLocalTimes(`paid ${instant}, see \`reconnect c_1 --record-from ${instant}\``, now)).toBe(
    `paid 21.11. 22:15:54, see \`reconnect c_1 --record-from ${instant}\``,
  );
});
