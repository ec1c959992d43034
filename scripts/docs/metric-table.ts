import { z } from 'zod';
import { openGauges, USUAL_PACE } from '../../src/app/ops/gauges.ts';
import { addAdminRefused, createMetrics } from '../../src/app/ops/metrics.ts';
import { markdownTable } from './markdown-table.ts';

// Gauges read nothing before they are scraped.
const unread: never = undefined as never;

/** Every metric of ours; those of Node.js, which prom-client adds, are left out. */
export async function metricTable(): Promise<string[]> {
  const { registry } = createMetrics();
  addAdminRefused(registry);
  openGauges({ core: unread, registry, queues: { counted: [], worked: [] }, service: unread, healthReader: unread, pace: USUAL_PACE });
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
