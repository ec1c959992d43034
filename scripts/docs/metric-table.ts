import { z } from 'zod';
import { addAlertGauges, addComplianceGauges, addIncidentGauge, addQueueGauges, addStateGauges, addWorkGauges } from '../../src/app/ops/gauges.ts';
import { addAdminRefused, createMetrics } from '../../src/app/ops/metrics.ts';
import { markdownTable } from './markdown-table.ts';

/** Every metric of ours; those of Node.js, which prom-client adds, are left out. */
export async function metricTable(): Promise<string[]> {
  const { registry } = createMetrics();
  const nothing = () => Promise.reject(new Error('nothing is looked up for the docs'));
  addAdminRefused(registry);
  addStateGauges(registry, nothing);
  addWorkGauges(registry, nothing);
  addQueueGauges(registry, nothing);
  addAlertGauges(registry, nothing);
  addIncidentGauge(registry, nothing);
  addComplianceGauges(registry, nothing);
  const metrics = (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('orderbridge_'));
  return markdownTable(
    ['metric', 'type', 'labels', 'what it counts'],
    metrics.map(({ name, type, help }) => [`\`${name}\``, String(type), labelsOf(registry.getSingleMetric(name)), help]),
  );
}

// prom-client has the names at run time only.
const labelled = z.object({ labelNames: z.array(z.string()) });

function labelsOf(metric: unknown): string {
  return labelled
    .parse(metric)
    .labelNames.map((label) => `\`${label}\``)
    .join(', ');
}
