/**
 * Lets a store live as a seed says while its webhooks are lost, late, doubled, overtaken and disabled, its API fails now and then, and orderbridge is
 * killed in the middle of sync runs; then compares what is recorded with the store: `npm run missed -- --count N --seed S
 * [--platform woocommerce|shopify|own|all] [--webhooks flaky|off] [--backend redis|postgres|both] [--json FILE] [--log FILE]`. The program's log is
 * left in FILE.PLATFORM.BACKEND.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reportLines } from '../test/support/missed/missed-report.ts';
import { missedShops } from '../test/support/missed/missed-shops.ts';
import { type MissedReport, runMissed } from '../test/support/missed/run-missed.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    platform: { type: 'string', default: 'all' },
    webhooks: { type: 'string', default: 'flaky' },
    backend: { type: 'string', default: 'both' },
    pace: { type: 'string', default: '15' },
    kills: { type: 'string', default: '5' },
    json: { type: 'string' },
    log: { type: 'string' },
  },
});
const webhooks = (['flaky', 'off'] as const).find((each) => values.webhooks === each);
if (webhooks === undefined) throw new Error('--webhooks is flaky or off');
const backends = (['redis', 'postgres'] as const).filter((backend) => values.backend === 'both' || values.backend === backend);
if (backends.length === 0) throw new Error('--backend is redis, postgres or both');
const shops = Object.entries(missedShops).filter(([platform]) => values.platform === 'all' || values.platform === platform);
if (shops.length === 0) throw new Error(`--platform is ${Object.keys(missedShops).join(', ')} or all`);
const reports: MissedReport[] = [];
for (const [platform, openShop] of shops)
  for (const backend of backends) {
    const chosen = {
      count: Number(values.count),
      seed: Number(values.seed),
      pace: Number(values.pace),
      kills: Number(values.kills),
      webhooks,
      durable: true,
      slackSeconds: 60,
    };
    const logFile = values.log === undefined ? null : `${resolve(values.log)}.${platform}.${backend}`;
    const faults = { throttled: 0.02, failed: 0.01, cut: 0.01, hanging: 0.005, hangMs: 12_000 };
    const say = (words: string) => console.error(words);
    const report = await runMissed({ platform, openShop, backend, ...chosen, periodSeconds: 10, faults, logFile, say });
    console.log(reportLines(report).join('\n'));
    reports.push(report);
  }
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(reports, null, 2)}\n`);
if (reports.some(({ verdicts }) => verdicts.some(({ held }) => !held))) process.exitCode = 1;
