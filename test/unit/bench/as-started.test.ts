import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asStarted, NODE_OPTIONS } from '../../../bench/as-started.ts';

const text = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

test('contestants run with the options of Node that production has', () => {
  const { scripts }: { scripts: { start: string } } = JSON.parse(text('package.json'));

  expect(scripts.start).toContain(`exec node ${NODE_OPTIONS} bin/orderbridge.mjs`);
  expect(text('orderbridge')).toContain(`exec "$own" ${NODE_OPTIONS} `);
  expect(text('bin/orderbridge.mjs')).toContain(`const FLAGS = ['${NODE_OPTIONS}'];`);
  expect(text('Dockerfile')).toContain(`ENTRYPOINT ["node", "${NODE_OPTIONS}", "dist/main.js"]`);
});

test('contestants run with the allocator of production', () => {
  const { NODE_OPTIONS: _, ...allocator } = asStarted;
  const { scripts }: { scripts: { start: string } } = JSON.parse(text('package.json'));

  for (const [name, value] of Object.entries(allocator)) {
    expect(scripts.start).toContain(`${name}=${value} `);
    expect(text('Dockerfile')).toContain(`${name}=${value}`);
  }
  expect(Object.keys(allocator)).toHaveLength(2);
});
