import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Files of the first project are light; those of the second start servers and processes, and run afterwards. They wait more than they compute,
// so they have more workers than most machines have cores. Each worker keeps what it has imported, so a file must leave nothing behind: no timer, no server, no changed environment.
export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Far above what any test takes on a quiet machine.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    globalSetup: ['test/support/servers/guard-node24.ts', 'test/support/servers/servers-of-run.ts'],
    reporters: ['default', ['json', { outputFile: process.env['TEST_REPORT'] ?? 'reports/tests.json' }]],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/{unit,contract,architecture}/**/*.test.ts'], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          maxWorkers: 4,
          include: ['test/{integration,e2e,browser}/**/*.test.ts'],
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/servers/built-program.ts'],
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: {
        'src/bridge/order/**': { lines: 100, branches: 100 },
        'src/bridge/storefronts/**': { lines: 100, branches: 100 },
      },
    },
  },
});
