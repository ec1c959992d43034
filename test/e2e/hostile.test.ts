import { describe, expect, test } from 'vitest';
import { SHORT_LIMITS } from '../support/hostile/hostile-limits.ts';
import { brokenIn, reportLines } from '../support/hostile/hostile-report.ts';
import type { Backend } from '../support/hostile/hostile-stage.ts';
import { runHostile } from '../support/hostile/run-hostile.ts';
import { drawn, SEED } from '../support/run-size.ts';

const COUNT = 150;

// The long form, on both queues, is test/long/batteries/hostile.test.ts.
describe.each(drawn<Backend>(['redis', 'postgres']))('attacked, with the queue on %s', (backend) => {
  test(`${COUNT} hostile requests cost no honest merchant anything (seed ${SEED})`, { timeout: 240_000 }, async () => {
    const report = await runHostile({
      ...{ backend, count: COUNT, seed: SEED, limits: SHORT_LIMITS },
      root: null,
      durable: false,
      logFile: null,
      say: () => undefined,
    });

    expect(brokenIn(report), reportLines(report).join('\n')).toEqual([]);
  });
});
