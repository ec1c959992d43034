/**
 * `npm run test:long`: what takes too long for `npm test`, with its full counts. `--slice K/N` runs the K-th of N parts that take about as long as each
 * other; files that are named after `--` run alone. Everything is drawn from TEST_SEED.
 */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BATTERIES, longFiles } from '../test/support/long-files.ts';
import { runTests } from './run-tests.ts';

/** Minutes on 2 cores of files that take long. */
const minutes: Readonly<Record<string, number>> = {
  'test/long/many-stores.test.ts': 8.6,
  'test/integration/console/doubled-presses.test.ts': 5.3,
  'test/long/missed-shopify.test.ts': 4.5,
  'test/long/missed-own.test.ts': 4.1,
  'test/long/missed-woocommerce.test.ts': 4,
  'test/long/leaked-copies.test.ts': 3.7,
  'test/long/redis-sentinel.test.ts': 2.9,
  'test/long/three-machines.test.ts': 2.5,
  'test/integration/service/month-scenarios.test.ts': 2.4,
  'test/e2e/grants.test.ts': 2.1,
  'test/integration/platform/killed-jobs.test.ts': 2,
  'test/integration/operations/rotate-keys.test.ts': 1.6,
  'test/long/rolled-receivers.test.ts': 1.6,
  'test/long/postgres-versions.test.ts': 1.4,
  'test/browser/connect-way.test.ts': 1.4,
  'test/long/connect-problems.test.ts': 1.2,
  'test/integration/app/restored-database.test.ts': 1.2,
  'test/long/rolling-upgrade.test.ts': 1.1,
  'test/browser/stores.test.ts': 1.1,
  'test/long/promoted-replica.test.ts': 1.1,
  'test/integration/connect/without-link.test.ts': 1.1,
  'test/long/added-storefront.test.ts': 1.1,
  'test/long/restored-ledger.test.ts': 1,
  'test/e2e/missed.test.ts': 1,
  'test/e2e/hostile.test.ts': 1,
  'test/long/platform/embedded-postgres.test.ts': 1,
  'test/long/pooler.test.ts': 0.9,
  'test/long/connect-grant.test.ts': 0.9,
  'test/long/answers.test.ts': 0.9,
  'test/integration/bridge/reconciliation/reading.test.ts': 0.9,
  'test/e2e/demo.test.ts': 0.8,
  'test/long/connect-trial.test.ts': 0.8,
  'test/browser/today.test.ts': 0.7,
  'test/e2e/kill-matrix.test.ts': 0.6,
  'test/long/busy-month.test.ts': 0.6,
  'test/e2e/killed-pages.test.ts': 0.6,
  'test/e2e/killed-events.test.ts': 3,
  'test/browser/orders.test.ts': 0.6,
  'test/long/console/store-tasks.test.ts': 0.6,
  'test/long/killed-reader.test.ts': 0.6,
  'test/long/stop.test.ts': 0.6,
  'test/long/review-in-browser.test.ts': 0.6,
  'test/integration/console/every-post.test.ts': 0.5,
  'test/browser/activity.test.ts': 0.5,
  'test/integration/console/passkeys.test.ts': 0.5,
  'test/long/service/month-pages-browser.test.ts': 0.5,
  'test/long/broken-streams.test.ts': 0.5,
  'test/long/connect-store.test.ts': 0.5,
  'test/long/connect-shopify.test.ts': 0.5,
  'test/long/cli/server-settings.test.ts': 0.5,
  'test/long/pressed-twice.test.ts': 0.4,
  'test/browser/entry.test.ts': 0.4,
  'test/integration/bridge/intake/before-trust.test.ts': 0.4,
  'test/long/package.test.ts': 0.4,
  'test/long/connect-companies.test.ts': 0.4,
  'test/integration/bridge/due-orders.test.ts': 0.4,
};
const minutesOf = (file: string) => minutes[file] ?? 0.1;

/** The longest first, each to the part that has least so far. */
function partsOf(files: readonly string[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], minutes: 0 }));
  for (const file of files.toSorted((a, b) => minutesOf(b) - minutesOf(a) || a.localeCompare(b))) {
    const [part] = parts.toSorted((a, b) => a.minutes - b.minutes);
    part?.files.push(file);
    if (part !== undefined) part.minutes += minutesOf(file);
  }
  return parts.map((part) => part.files);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { slice: { type: 'string', default: '1/1' } } });
const [, at = '', of = ''] = /^(\d+)\/(\d+)$/.exec(values.slice) ?? [];
if (Number(at) < 1 || Number(at) > Number(of)) throw new Error('--slice is K/N, for example 3/8');
const all = [...longFiles(), ...globSync(BATTERIES)];
const files = positionals.length > 0 ? positionals : (partsOf(all, Number(of))[Number(at) - 1] ?? []);
console.log(`slice ${values.slice} of the long tests:\n  ${files.join('\n  ')}`);
process.exitCode = runTests('tests-long', files, { TEST_LONG: '1' });
