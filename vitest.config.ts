import { defineConfig } from 'vitest/config';
import { BATTERIES, longFiles } from './test/support/long-files.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { SkippedWithReason } from './test/support/skipped-with-reason.ts';

const extended = { extends: true as const };
// What starts programs starts one build.
const BUILT = ['test/support/servers/built-program.ts'];

// A wait that ended on a busy machine, of a test, a browser or for a connection to PostgreSQL, is begun once more, and `npm test` names it; what was seen and is wrong is never tried again.
const AGAIN = { count: 1, condition: /timed out|Timeout \d+ms exceeded|connection timeout|timeout exceeded when trying to connect/ };

// One project, because a worker keeps what it has imported for the files of its project alone. Files that start servers wait half of their time, so there are more
// workers than most machines have cores, and light files run in between. A file must leave nothing behind: no timer, no server, no changed environment.
const short = [
  {
    ...extended,
    test: { name: 'short', retry: AGAIN, include: ['test/{unit,contract,architecture,integration,e2e,browser}/**/*.test.ts'], globalSetup: BUILT },
  },
];

// What hangs must not hold up all others for long.
const PATIENT = { testTimeout: 600_000, globalSetup: BUILT };
const long = [
  { ...extended, test: { ...PATIENT, name: 'long', retry: AGAIN, include: longFiles(), maxWorkers: 2, sequence: { groupOrder: 0 } } },
  { ...extended, test: { ...PATIENT, testTimeout: 1_800_000, name: 'batteries', maxWorkers: 1, include: BATTERIES, sequence: { groupOrder: 1 } } },
];

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Far above what any test takes on a quiet machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Undone in the opposite order: servers are stopped before their folder is deleted.
    globalSetup: [
      'test/support/servers/guard-node24.ts',
      'test/support/seed-of-run.ts',
      'test/support/servers/memory-of-run.ts',
      'test/support/servers/servers-of-run.ts',
    ],
    setupFiles: ['test/support/set-up-file.ts'],
    reporters: ['default', new SkippedWithReason(), ['json', { outputFile: process.env['TEST_REPORT'] ?? 'reports/some-tests.json' }]],
    projects: process.env['TEST_LONG'] === undefined ? short : long,
    coverage: {
      provider: 'v8',
      // Only what has a limit: measuring all of `src` takes longer than running the tests.
      include: ['src/bridge/order/**/*.ts', 'src/bridge/storefronts/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 100, branches: 100 },
    },
  },
});
