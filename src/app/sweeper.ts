import { rowUnreadable, swept } from '../bridge/bridge-events.ts';
import type { AcceptedDelivery } from '../bridge/delivery/jobs.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { moveInbox } from '../bridge/ledger/deliveries/inbox-store.ts';
import { beginNotes } from '../bridge/ledger/store-note-store.ts';
import { eachStep } from '../platform/jobs/job-kind.ts';
import { Unconfirmed } from '../platform/queue/confirmed-writes.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { dropOld, eraseLeft } from './retention.ts';

type Recording = (deliveries: readonly AcceptedDelivery[]) => Promise<AcceptedDelivery[]>;
/** `takenOver`: how many orders of dead workers were taken over since the last sweep. `record`: at once; resolves with those that can't be recorded now. */
export type SweepParts = { core: Core; queues: Queues; metrics: Metrics; takenOver(): number; record: Recording };

const INBOX_PAGE = 50;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, failed jobs, forgotten probes. In bounded pages. Then it drops what was kept long enough. */
export async function sweep({ core, queues, metrics, takenOver, record }: SweepParts, signal: AbortSignal): Promise<void> {
  const counts = { inbox: 0, recovered: takenOver(), failed: 0 };
  const steps = [
    async () => {
      counts.inbox = await emptyInbox({ core, queues, record });
    },
    async () => {
      counts.failed = await retryFailed(queues);
    },
    () => probeOverdue(core, queues),
    () => beginNotes(core.pool),
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

async function emptyInbox({ core: { pool, log }, queues, record }: Pick<SweepParts, 'core' | 'queues' | 'record'>): Promise<number> {
  const take = async (deliveries: AcceptedDelivery[]) => {
    try {
      // Nothing is added that would have to be recorded here, too.
      await queues.system.confirmed(async () => undefined);
      await queues.addDeliveries({ v: 1, deliveries });
      return [];
    } catch (thrown) {
      if (!(thrown instanceof Unconfirmed)) throw thrown;
      return (await queues.deliveries.isPaused()) ? deliveries : record(deliveries);
    }
  };
  let moved = 0;
  const stayed: string[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await moveInbox(pool, {
      size: INBOX_PAGE,
      without: stayed,
      take,
      onUnreadable: (err, review) => rowUnreadable(log, err, review),
    });
    moved += page.gone;
    stayed.push(...page.stayed);
    if (page.gone + page.stayed.length === 0 || (page.gone === 0 && (await queues.deliveries.isPaused()))) break;
  }
  return moved;
}

/** Scopes whose pause is over, but whose probe was lost. */
async function probeOverdue({ config, destinations }: Core, { maintenance }: Queues): Promise<void> {
  for (const scope of await destinations.overdue(config.sweepSeconds)) await probeAt(maintenance, scope, 0);
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
