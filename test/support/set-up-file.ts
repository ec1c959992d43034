import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { SEED } from './run-size.ts';
import { starts } from './starts.ts';

// Vitest runs this before each test file, in the process that runs the file; the files of a process run one after the other.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

// What each file starts, for the table of durations.
const table = process.env['TEST_STARTS'];
if (table !== undefined) {
  let before = { ...starts };
  beforeAll(() => {
    before = { ...starts };
  });
  afterAll(() => {
    const since = Object.entries(starts).map(([what, count]) => [what, count - before[what as keyof typeof starts]]);
    appendFileSync(table, `${JSON.stringify({ file: expect.getState().testPath, ...Object.fromEntries(since) })}\n`);
  });
}
