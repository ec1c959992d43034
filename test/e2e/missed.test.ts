import { describe, expect, test } from 'vitest';
import type { Backend } from '../support/hostile/hostile-stage.ts';
import { reportLines } from '../support/missed/missed-report.ts';
import { missedShops } from '../support/missed/missed-shops.ts';
import { type MissedOptions, runMissed } from '../support/missed/run-missed.ts';

const SEED = Number(process.env['MISSED_SEED'] ?? 1);
const LONGEST_MS = 240_000;

const short: Omit<MissedOptions, 'platform' | 'openShop' | 'backend' | 'webhooks'> = {
  ...{ count: 40, seed: SEED, pace: 10, kills: 1, periodSeconds: 10, durable: false, logFile: null, say: () => undefined },
  troubles: { throttled: 0.03, failed: 0.02, cut: 0.02, hanging: 0.02, hangMs: 2_000 },
};

const forms: Pick<MissedOptions, 'platform' | 'openShop' | 'backend' | 'webhooks'>[] = [
  { platform: 'woocommerce', openShop: missedShops.woocommerce, backend: 'redis' satisfies Backend, webhooks: 'flaky' },
  { platform: 'own', openShop: missedShops.own, backend: 'postgres' satisfies Backend, webhooks: 'off' },
];

describe.each(forms)('a store on $platform whose webhooks are $webhooks, with the queue on $backend', (form) => {
  test(
    `is recorded as it stands, though the program is killed in the middle of a walk (seed ${SEED})`,
    async () => {
      const report = await runMissed({ ...short, ...form });

      expect(
        report.verdicts.filter(({ held }) => !held),
        reportLines(report).join('\n'),
      ).toEqual([]);
    },
    LONGEST_MS,
  );
});
