import { describe, expect, test } from 'vitest';
import { reportLines } from '../support/missed/missed-report.ts';
import { missedShops } from '../support/missed/missed-shops.ts';
import { type MissedOptions, runMissed } from '../support/missed/run-missed.ts';
import { drawn, SEED } from '../support/run-size.ts';

const short: Omit<MissedOptions, 'platform' | 'openShop' | 'backend' | 'webhooks'> = {
  ...{ count: 24, seed: SEED, pace: 10, kills: 1, periodSeconds: 10, durable: false, slackSeconds: 240, logFile: null, say: () => undefined },
  faults: { throttled: 0.03, failed: 0.02, cut: 0.02, hanging: 0.02, hangMs: 2_000 },
};

const forms: Pick<MissedOptions, 'platform' | 'openShop' | 'backend' | 'webhooks'>[] = [
  { platform: 'woocommerce', openShop: missedShops.woocommerce, backend: 'redis', webhooks: 'flaky' },
  { platform: 'own', openShop: missedShops.own, backend: 'postgres', webhooks: 'off' },
];

// The long forms, of each platform on both queues, are test/long/missed-*.test.ts.
describe.each(drawn(forms))('a store on $platform whose webhooks are $webhooks, with the queue on $backend', (form) => {
  test(`is recorded as it stands, though the program is killed in the middle of a sync run (seed ${SEED})`, { timeout: 900_000 }, async () => {
    const report = await runMissed({ ...short, ...form });

    expect(
      report.verdicts.filter(({ held }) => !held),
      reportLines(report).join('\n'),
    ).toEqual([]);
  });
});
