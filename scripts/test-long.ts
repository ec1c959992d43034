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
  'test/integration/service/month-scenarios.test.ts': 3.2,
  'test/long/three-machines.test.ts': 2.5,
  'test/long/missed-shopify.test.ts': 2.2,
  'test/long/missed-woocommerce.test.ts': 2,
  'test/long/missed-own.test.ts': 1.7,
  'test/long/rolled-receivers.test.ts': 1.7,
  'test/e2e/grants.test.ts': 1.7,
  'test/long/added-storefront.test.ts': 1.6,
  'test/long/busy-month.test.ts': 1.5,
  'test/long/connect-problems.test.ts': 1.4,
  'test/browser/connect-way.test.ts': 1.4,
  'test/browser/stores.test.ts': 1.2,
  'test/integration/connect/without-link.test.ts': 1.1,
  'test/long/review-in-browser.test.ts': 1,
  'test/long/platform/embedded-postgres.test.ts': 1,
  'test/long/killed-reader.test.ts': 1,
  'test/long/connect-grant.test.ts': 1,
  'test/long/answers.test.ts': 0.9,
  'test/e2e/killed-pages.test.ts': 0.8,
  'test/browser/entry.test.ts': 0.8,
  'test/long/stalled-worker.test.ts': 0.7,
  'test/integration/console/every-post.test.ts': 0.7,
  'test/long/service/month-pages-browser.test.ts': 0.6,
  'test/long/connect-trial.test.ts': 0.6,
  'test/long/bridge/scheduling/fair-scheduling.test.ts': 0.6,
  'test/e2e/kill-matrix.test.ts': 0.6,
  'test/e2e/hostile.test.ts': 0.6,
  'test/browser/orders.test.ts': 0.6,
  'test/long/package.test.ts': 0.5,
  'test/long/idle-requests.test.ts': 0.5,
  'test/long/connect-store.test.ts': 0.5,
  'test/long/connect-shopify.test.ts': 0.5,
  'test/long/connect-grant-pages.test.ts': 0.5,
  'test/long/connect-companies.test.ts': 0.5,
  'test/long/cli/server-settings.test.ts': 0.5,
  'test/e2e/demo.test.ts': 0.5,
  'test/contract/month-scenarios.test.ts': 0.5,
  'test/long/stop.test.ts': 0.4,
  'test/long/bridge/sequences/store-call-queue.test.ts': 0.4,
  'test/integration/bridge/reconciliation/reading.test.ts': 0.4,
  'test/e2e/storm.test.ts': 0.4,
  'test/e2e/missed.test.ts': 0.4,
  'test/e2e/document-numbers.test.ts': 0.4,
  'test/contract/histories.test.ts': 0.4,
  'test/browser/months.test.ts': 0.4,
  'test/browser/activity.test.ts': 0.4,
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
