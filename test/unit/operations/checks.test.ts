import { expect, test } from 'vitest';
import { besideDatabase, checkCodes, inDatabase } from '../../../src/operations/health/checks.ts';

/** What `readHealth` says by itself. */
const OF_READING = ['check.failed', 'database.down'];

test('every code is one of a check of the registry, and every check has codes of the table', () => {
  const known = [...besideDatabase, ...inDatabase].flatMap(({ codes }) => codes);

  expect([...new Set([...known, ...OF_READING])].toSorted()).toEqual(Object.keys(checkCodes).toSorted());
});
