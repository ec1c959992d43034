import { describe, expect, test } from 'vitest';
import { FULL_LIMITS } from '../../support/hostile/hostile-limits.ts';
import { brokenIn, reportLines } from '../../support/hostile/hostile-report.ts';
import type { Backend } from '../../support/hostile/hostile-stage.ts';
import { runHostile } from '../../support/hostile/run-hostile.ts';
import { SEED } from '../../support/run-size.ts';

const COUNT = 3_000;

describe.each<Backend>(['redis', 'postgres'])('attacked, with the queue on %s', (backend) => {
  test(`${COUNT} hostile requests cost no honest merchant anything (seed ${SEED})`, async () => {
    const report = await runHostile({
      ...{ backend, count: COUNT, seed: SEED, limits: FULL_LIMITS },
      root: null,
      durable: true,
      logFile: null,
      say: () => undefined,
    });

    expect(brokenIn(report), reportLines(report).join('\n')).toEqual([]);
  });
});
