import { describe, expect, test } from 'vitest';
import { LONG_LIMITS, SHORT_LIMITS } from '../support/hostile/hostile-limits.ts';
import { brokenIn, reportLines } from '../support/hostile/hostile-report.ts';
import type { Backend } from '../support/hostile/hostile-stage.ts';
import { runHostile } from '../support/hostile/run-hostile.ts';
import { drawn, IS_LONG, runs, SEED } from '../support/run-size.ts';

const COUNT = runs(60, 3_000);

describe.each(drawn<Backend>(['redis', 'postgres']))('attacked, with the queue on %s', (backend) => {
  test(`${COUNT} hostile requests cost no honest merchant anything (seed ${SEED})`, { timeout: runs(900_000, 1_800_000) }, async () => {
    const report = await runHostile({
      ...{ backend, count: COUNT, seed: SEED, limits: IS_LONG ? LONG_LIMITS : SHORT_LIMITS },
      root: null,
      durable: IS_LONG,
      logFile: null,
      say: () => undefined,
    });

    expect(brokenIn(report), reportLines(report).join('\n')).toEqual([]);
  });
});
