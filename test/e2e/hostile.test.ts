import { describe, expect, test } from 'vitest';
import { SHORT_LIMITS } from '../support/hostile/hostile-limits.ts';
import { reportLines } from '../support/hostile/hostile-report.ts';
import type { Backend } from '../support/hostile/hostile-stage.ts';
import { type HostileReport, runHostile } from '../support/hostile/run-hostile.ts';

const COUNT = 800;
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1);
const LONGEST_MS = 240_000;

describe.each<Backend>(['redis', 'postgres'])('attacked, with the queue on %s', (backend) => {
  test(
    `${COUNT} hostile requests cost no honest merchant anything (seed ${SEED})`,
    async () => {
      const say = () => undefined;
      const report = await runHostile({ backend, count: COUNT, seed: SEED, limits: SHORT_LIMITS, root: null, durable: false, logFile: null, say });

      expect(broken(report), reportLines(report).join('\n')).toEqual([]);
    },
    LONGEST_MS,
  );
});

function broken({ verdicts }: HostileReport): string[] {
  return verdicts.filter(({ held }) => !held).map(({ what, figure }) => `${what}: ${figure}`);
}
