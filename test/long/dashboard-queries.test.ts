import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endProcess } from '../support/servers/end-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { until } from '../support/worlds/settled.ts';
import { useWorlds } from '../support/worlds/world.ts';

const PROMETHEUS = '/usr/bin/prometheus';
const world = useWorlds();
const dashboard = z.object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })) });
const answer = z.object({ status: z.literal('success'), data: z.object({ result: z.array(z.unknown()) }) });
/** Nothing is refused here, and our own compliance service does not run. */
const EMPTY = ['Webhooks refused', 'In review by code', 'Background jobs that do not get done', 'Audit files'];

test('a Prometheus that reads /metrics answers every query of the dashboard', async ({ skip }) => {
  skip(!existsSync(PROMETHEUS), `there is no ${PROMETHEUS}`);
  await using it = await world({ role: 'all' });
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');
  await using folder = await scratchDir();
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'orderbridge', static_configs: [{ targets: [new URL(it.bridge.app.opsUrl).host] }] }],
  };
  await writeFile(join(folder.path, 'prometheus.yml'), JSON.stringify(config));
  const args = [`--config.file=${folder.path}/prometheus.yml`, `--storage.tsdb.path=${folder.path}/data`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn(PROMETHEUS, args, { stdio: 'ignore' });
  try {
    const ask = async (expr: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`);
      return answer.parse(await response.json()).data.result.length;
    };
    await until(async () => (await ask('count_over_time(process_cpu_seconds_total[1m]) > 3').catch(() => 0)) > 0, { what: 'some scrapes' });
    const { panels } = dashboard.parse(JSON.parse(await readFile(join(import.meta.dirname, '../../ops/grafana-dashboard.json'), 'utf8')));
    const counts = await Promise.all(
      panels.map(async ({ title, targets }) => [title, Math.max(...(await Promise.all(targets.map(({ expr }) => ask(expr)))))] as const),
    );

    expect(counts.filter(([, count]) => count === 0).map(([title]) => title)).toEqual(EMPTY);
  } finally {
    await endProcess(child);
  }
});
