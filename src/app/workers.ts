import type { Worker } from 'bullmq';
import { jobFailed } from '../bridge/bridge-events.ts';
import { deliveriesProcessor } from '../bridge/delivery/deliveries-worker.ts';
import { DELIVERIES, MAINTENANCE } from '../bridge/delivery/jobs.ts';
import { maintenanceProcessor } from '../bridge/delivery/maintenance-worker.ts';
import { probe } from '../bridge/delivery/probe.ts';
import { UnreadableJob } from '../platform/unreadable-job.ts';
import { type AttemptParts, FINISH_SHARE, openDueOrders, probeDeps, storeCallQueue } from './order-attempts.ts';
import { recordBesideQueue, recordingDeps } from './recorder.ts';
import type { SweepParts } from './sweeper.ts';

const RECORDERS = 64;

type Workers = AsyncDisposable & Pick<SweepParts, 'takenOver' | 'record'>;

/** Starts recorder and submitter. Disposing takes no new job, finishes running ones, and returns to the queue those that do not finish in time. */
export function startWorkers(options: AttemptParts): Workers {
  const { core, queues, metrics } = options;
  const { log } = core;
  const storeCalls = storeCallQueue(options);
  const takenOver = counter();
  const due = openDueOrders(options, { storeCalls, onAbandoned: takenOver.add });
  const recording = recordingDeps(options, due);
  const workers: Worker[] = [
    queues.system.worker(DELIVERIES, deliveriesProcessor(recording), { concurrency: RECORDERS }),
    queues.system.worker(
      MAINTENANCE,
      maintenanceProcessor((scope) => probe(probeDeps(options, storeCalls), scope)),
      { concurrency: 2 },
    ),
  ] as Worker[];
  for (const worker of workers) {
    metrics.unreadable.inc({ queue: worker.name }, 0);
    worker.on('failed', (job, err) => {
      if (err instanceof UnreadableJob) metrics.unreadable.inc({ queue: worker.name });
      jobFailed(log, { queue: worker.name, job: job?.id, attempt: job?.attemptsMade, err });
    });
  }
  return {
    takenOver: takenOver.take,
    record: recordBesideQueue(core, recording),
    async [Symbol.asyncDispose]() {
      const finished = workers.map((worker) => queues.system.finish(worker, core.stop.shareMs(FINISH_SHARE)));
      due.close();
      // The last deliveries may have begun attempts.
      await Promise.all([storeCalls[Symbol.asyncDispose](), ...finished]).finally(() => due[Symbol.asyncDispose]());
    },
  };
}

function counter(): { add(by: number): void; take(): number } {
  let count = 0;
  return {
    add: (by) => {
      count += by;
    },
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
