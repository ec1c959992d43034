import { describe, expect, test } from 'vitest';
import { SEED } from '../run-size.ts';
import { reportLines } from './missed-report.ts';
import { missedShops } from './missed-shops.ts';
import { runMissed } from './run-missed.ts';

const COUNT = 500;
const faults = { throttled: 0.02, failed: 0.01, cut: 0.01, hanging: 0.005, hangMs: 12_000 };

/** The long battery of a platform, on both queues. */
export function missedOf(platform: keyof typeof missedShops): void {
  describe.each(['redis', 'postgres'] as const)(`a store on ${platform} whose webhooks are flaky, with the queue on %s`, (backend) => {
    test(`is recorded as it stands after ${COUNT} orders, though the program is killed in the middle of sync runs (seed ${SEED})`, async () => {
      const form = { platform, openShop: missedShops[platform], backend, webhooks: 'flaky' as const, count: COUNT, seed: SEED };
      const report = await runMissed({
        ...form,
        pace: 15,
        kills: 5,
        periodSeconds: 10,
        faults,
        durable: true,
        slackSeconds: 60,
        logFile: null,
        say: () => undefined,
      });

      expect(
        report.verdicts.filter(({ held }) => !held),
        reportLines(report).join('\n'),
      ).toEqual([]);
    });
  });
}
