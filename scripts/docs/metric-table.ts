import { addBridgeGauges, addComplianceGauges, createMetrics } from '../../src/app/ops/metrics.ts';
import { markdownTable } from './markdown-table.ts';

/** Every metric of ours; those of Node.js, which prom-client adds, are left out. */
export async function metricTable(): Promise<string[]> {
  const { registry } = createMetrics();
  addBridgeGauges(registry, () => Promise.reject(new Error('nothing is looked up for the docs')));
  addComplianceGauges(registry, () => Promise.reject(new Error('nothing is looked up for the docs')));
  const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('orderbridge_'));
  return markdownTable(
    ['metric', 'kind', 'what it counts'],
    metrics.map(({ name, type, help }) => [`\`${name}\``, String(type), help]),
  );
}
