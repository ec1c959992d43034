import { defineConfig } from 'vitest/config';

// Files of the first project are light and run side by side; those of the second start servers and processes, two at a time, afterwards.
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['test/support/servers/guard-node24.ts'],
    reporters: ['default', ['json', { outputFile: 'reports/tests.json' }]],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/{unit,contract,architecture}/**/*.test.ts'], sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: 'integration', include: ['test/{integration,e2e}/**/*.test.ts'], maxWorkers: 2, sequence: { groupOrder: 1 } },
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
