import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { environment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { insecureWords } from '../../src/platform/may-carry-secrets.ts';
import { plantTree } from '../support/servers/planted-tree.ts';
import { runTool } from '../support/servers/run-tool.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const known = new Set([...read('docs/reference/metrics-and-events.md').matchAll(/^\| `(orderbridge_\w+)`/gm)].map(([, name = '']) => name));
const named = (text: string) => [...text.matchAll(/\borderbridge_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));

test.for(['ops/prometheus-rules.yml', 'ops/prometheus-rules.test.yml', 'ops/grafana-dashboard.json'])('%s names metrics that there are', (path) => {
  expect(known.size).toBeGreaterThan(30);
  expect(named(read(path)).length).toBeGreaterThan(10);
  expect(named(read(path)).filter((name) => !known.has(name))).toEqual([]);
});

test('each alert rule fires where it must, and none on a quiet day', ({ skip }) => {
  skip(!existsSync('/usr/bin/promtool'), 'there is no /usr/bin/promtool');
  expect(() => execFileSync('promtool', ['test', 'rules', 'ops/prometheus-rules.test.yml'], { cwd: root, stdio: 'pipe' })).not.toThrow();
  const rules = [...read('ops/prometheus-rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(rules.filter((name) => !read('ops/prometheus-rules.test.yml').includes(name))).toEqual([]);
});

const kinds = { ConfigMap, Deployment, PodDisruptionBudget, Service };
const manifests = z.object({
  items: z.array(z.looseObject({ kind: z.enum(['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service']) })),
});

/** What Kubernetes would refuse of them. */
function refused(text: string): string[] {
  return manifests.parse(parse(text, { merge: true })).items.flatMap((item) => {
    try {
      new kinds[item.kind](item as never).validate();
      return [];
    } catch (thrown) {
      return [String(thrown)];
    }
  });
}

test('the manifests fit the schemas of Kubernetes', () => {
  const text = read('ops/kubernetes.yaml');

  expect(refused(text)).toEqual([]);
  expect(refused(text.replace('periodSeconds: 10', 'periodSeconds: ten'))).toHaveLength(3);
  expect(refused(text.replace('policy/v1', 'policy/v2'))).toHaveLength(1);
});

test('a service named compliance puts no variables into the pods', () => {
  const pods = manifests.parse(parse(read('ops/kubernetes.yaml'), { merge: true })).items.filter(({ kind }) => kind === 'Deployment');

  expect(pods.map(({ spec }) => spec)).toEqual(
    pods.map(() => expect.objectContaining({ template: expect.objectContaining({ spec: expect.objectContaining({ enableServiceLinks: false }) }) })),
  );
});

test('systemd starts it again however often it failed', () => {
  const [, unit] = /\[Unit\]\n([^[]*)/.exec(read('ops/orderbridge@.service')) ?? [];

  expect(unit).toContain('\nStartLimitIntervalSec=0\n');
});

const secrets = { DATABASE_URL: 'postgres://db/x', REDIS_URL: 'redis://r:1', ENCRYPTION_KEYS: 'ab'.repeat(32) };

test('a unit listens for a proxy on its machine alone, which sees it stop', () => {
  const given = [...read('ops/orderbridge@.service').matchAll(/^Environment=(.+)$/gm)].flatMap(([, all = '']) => all.split(' ').map((one) => one.split('=')));

  expect(loadConfig({ ...Object.fromEntries(given), ...secrets }, { role: 'receiver', cwd: '/' })).toMatchObject({
    ok: true,
    config: { host: '127.0.0.1', stopDelaySeconds: 5 },
  });
});

/** The variables of the ConfigMap. */
function configMap(): Record<string, string> {
  const data = manifests.parse(parse(read('ops/kubernetes.yaml'), { merge: true })).items.flatMap(({ kind, data }) => (kind === 'ConfigMap' ? [data] : []));
  return z.record(z.string(), z.string()).parse(data[0]);
}

test('the manifests leave to be filled in what can’t be guessed', () => {
  expect(loadConfig({ ...configMap(), ...secrets }, { role: 'worker', cwd: '/' })).toEqual({
    ok: false,
    problems: [expect.stringContaining('COMPLIANCE_AMOUNTS must be set')],
  });
});

test('the manifests have every variable that our own service in a Deployment needs', () => {
  const can = { COMPLIANCE_IDEMPOTENCY_KEY: 'supported', COMPLIANCE_FORGETS_BUYERS: 'supported', COMPLIANCE_DELIVERED: 'supported' };
  const own = { ...can, COMPLIANCE_API_URL: 'http://orderbridge-compliance', TRUSTED_HTTP_HOSTS: 'orderbridge-compliance', COMPLIANCE_AMOUNTS: 'decimal' };

  expect(Object.keys(configMap()).filter((name) => !(name in environment.shape))).toEqual([]);
  expect(Object.keys(own).filter((name) => !(name in configMap()))).toEqual([]);
  const loaded = loadConfig({ ...configMap(), ...own, ...secrets }, { role: 'worker', cwd: '/' });
  expect(loaded).toMatchObject({
    ok: true,
    config: {
      compliance: { dialect: { amounts: 'decimal', idempotencyKey: 'supported' }, extensions: { forgetsBuyers: 'supported', delivered: 'supported' } },
    },
  });
  expect(insecureWords(own.COMPLIANCE_API_URL, loaded.ok ? loaded.config.trustedHttpHosts : [])).toBeNull();
});

test('probes ask the port of ops, which a rush of webhooks does not fill', () => {
  const probes = [...read('ops/kubernetes.yaml').matchAll(/(\w+)Probe: .* port: (\w+) \}/g)].map(([, what, port]) => `${what} ${port}`);

  expect(probes).toEqual(['startup ops', 'liveness ops', 'readiness ops']);
});

test('the dashboard fits the schema of Grafana', async () => {
  const checked = (text: string) => `import type { Dashboard } from '@grafana/schema';\nexport const dashboard: Dashboard = ${text};\n`;
  const text = read('ops/grafana-dashboard.json');
  await using tree = await plantTree({ 'fits.mts': checked(text), 'not.mts': checked(text.replace(/"schemaVersion": \d+/, '"schemaVersion": "1"')) }, []);
  const check = (file: string) => runTool('tsc', ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', file], tree.root);

  expect(await check('fits.mts')).toEqual({ code: 0, output: '' });
  expect(await check('not.mts')).toMatchObject({ output: expect.stringContaining('not.mts') });
});
