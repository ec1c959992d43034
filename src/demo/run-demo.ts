import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createLog, type Log } from '../platform/log.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { terminalWidth } from '../platform/terminal/terminal-width.ts';
import { withCrowds } from './crowds.ts';
import { demoClock } from './demo-clock.ts';
import { demoConfig } from './demo-config.ts';
import type { DemoStore } from './demo-stores.ts';
import { demoStores } from './demo-stores.ts';
import { demoTime } from './demo-time.ts';
import { startDemoWorld } from './demo-world.ts';
import { openConsole } from './open-console.ts';
import { playPast } from './play-past.ts';
import { type DemoRun, playStories } from './play-stories.ts';
import { createProgress } from './progress.ts';
import { keptWords, ordersTable, whereToLook } from './report.ts';
import { startStoreApi } from './store-api.ts';

export type DemoOptions = {
  /** Take everything down at the end, instead of staying up until a signal. */
  once: boolean;
  /** The folder stays. */
  keep?: boolean;
  stores?: readonly DemoStore[];
};

const LOG_FILE = 'demo.log';

/** Plays the whole demo and prints it. Throws `CliError` if an order did not end as it should. */
export async function runDemo(context: CliContext, { once: isOnce, keep = false, ...given }: DemoOptions): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const progress = createProgress(context);
  const dataDir = await mkdtemp(join(tmpdir(), 'orderbridge-demo-'));
  resources.defer(async () => {
    if (keep) progress.say(keptWords(dataDir).join('\n'));
    else await rm(dataDir, { recursive: true, force: true });
  });
  const config = await demoConfig(context, dataDir);
  progress.say(`orderbridge demo: ${isOnce ? 'three' : 'four'} shops, their webhooks, and a compliance service, all in this process and a scratch folder.\n`);
  const log = openLog(join(dataDir, LOG_FILE), config.logLevel, resources);
  const clock = demoClock();
  const world = resources.use(
    await progress.during('PostgreSQL, queues, webhook receiver, workers and compliance service are up', startDemoWorld(config, log, clock)),
  );
  const stores = storesOf(given.stores, isOnce);
  const storeApi = resources.use(await startStoreApi(stores.filter(({ platform }) => platform === 'woocommerce')));
  const run: DemoRun = { world, progress, signal: context.signal, storeApi };
  const linden = isOnce ? null : await progress.during('Липа, candles on WooCommerce: the two months before, one filed, one to file', playPast(run, clock));

  const outcomes = await playStories(run, stores);

  progress.say(`\n${ordersTable(outcomes, terminalWidth(context.stdout)).join('\n')}`);
  if (linden !== null && !context.signal.aborted) {
    const opened = await openConsole(world, context, { outcomes, linden, dataDir });
    const adminToken = config.adminToken?.reveal() ?? '';
    progress.say(whereToLook({ url: world.app.url, adminToken, dataDir, logFile: join(dataDir, LOG_FILE), outcomes, ...opened }).join('\n'));
    await once(context.signal, 'abort');
    progress.say(`\nStopping; the scratch folder ${keep ? 'stays' : 'is removed'}.`);
  }
  const wrong = outcomes.filter(({ verdict }) => verdict.faults.length > 0).length;
  if (wrong > 0) throw new CliError(`${wrong} of ${outcomes.length} orders did not end as they should; the faults are listed below the table`);
}

function storesOf(given: readonly DemoStore[] | undefined, isOnce: boolean): readonly DemoStore[] {
  if (given !== undefined) return given;
  const time = demoTime(Date.now());
  return isOnce ? demoStores(time) : withCrowds(demoStores(time), time);
}

/** The terminal shows the story; the JSON lines of the log go into a file. */
function openLog(path: string, level: Parameters<typeof createLog>[0]['level'], resources: AsyncDisposableStack): Log {
  const file = createWriteStream(path);
  resources.defer(async () => {
    file.end();
    await finished(file);
  });
  return createLog({ level, name: 'orderbridge-demo', destination: file });
}
