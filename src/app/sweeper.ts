import { rowUnreadable, swept } from '../bridge/bridge-events.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { moveInbox } from '../bridge/ledger/deliveries/inbox-store.ts';
import { eachStep } from '../platform/jobs/job-kind.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { dropOld, eraseLeft } from './retention.ts';

/** `takenOver`: how many orders of dead workers were taken over since the last sweep. */
export type SweepParts = { core: Core; queues: Queues; metrics: Metrics; takenOver(): number };

const INBOX_PAGE = 50;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, failed jobs, forgotten probes. In bounded pages. Then it drops what was kept long enough. */
export async function sweep({ core, queues, metrics, takenOver }: SweepParts, signal: AbortSignal): Promise<void> {
  const counts = { inbox: 0, recovered: takenOver(), failed: 0 };
  const steps = [
    async () => {
      counts.inbox = await emptyInbox(core, queues);
    },
    async () => {
      counts.failed = await retryFailed(queues);
    },
    () => probeOverdue(core, queues),
    ...dropOld(core),
    ...eraseLeft(core),
  ];
  try {
    await eachStep(signal, steps);
  } finally {
    for (const [what, count] of Object.entries(counts)) metrics.swept.inc({ what }, count);
    swept(core.log, counts);
  }
}

async function emptyInbox({ pool, log }: Core, queues: Queues): Promise<number> {
  let moved = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await moveInbox(pool, {
      size: INBOX_PAGE,
      add: (deliveries) => queues.addDeliveries({ v: 1, deliveries }),
      onUnreadable: (err, review) => rowUnreadable(log, err, review),
    });
    moved += page;
    if (page === 0) break;
  }
  return moved;
}

/** Scopes whose pause is over, but whose probe was lost. */
async function probeOverdue({ config, destinations }: Core, { maintenance }: Queues): Promise<void> {
  for (const { destinationId, shopId, callType, until } of await destinations.pauses()) {
    if (Date.parse(until) + config.sweepSeconds * 1000 < Date.now()) await probeAt(maintenance, { destinationId, shopId, callType }, 0);
  }
}

async function retryFailed({ deliveries, submissions }: Queues): Promise<number> {
  let count = 0;
  for (const queue of [deliveries, submissions]) {
    const { failed = 0 } = await queue.getJobCounts('failed');
    if (failed > 0) await queue.retryJobs({ state: 'failed', count: 500 });
    count += failed;
  }
  return count;
}
