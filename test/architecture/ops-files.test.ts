import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const known = new Set([...read('docs/reference/metrics-and-events.md').matchAll(/^\| `(orderbridge_\w+)`/gm)].map(([, name = '']) => name));
const named = (text: string) => [...text.matchAll(/\borderbridge_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));

test.for(['ops/prometheus-rules.yml', 'ops/prometheus-rules.test.yml', 'ops/grafana-dashboard.json'])('%s names metrics that there are', (path) => {
  expect(known.size).toBeGreaterThan(30);
  expect(named(read(path)).length).toBeGreaterThan(10);
  expect(named(read(path)).filter((name) => !known.has(name))).toEqual([]);
});

test.skipIf(!existsSync('/usr/bin/promtool'))('each alert rule fires where it must, and none on a quiet day', () => {
  expect(() => execFileSync('promtool', ['test', 'rules', 'ops/prometheus-rules.test.yml'], { cwd: root, stdio: 'pipe' })).not.toThrow();
  const rules = [...read('ops/prometheus-rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(rules.filter((name) => !read('ops/prometheus-rules.test.yml').includes(name))).toEqual([]);
});
