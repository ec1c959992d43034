import type { Core } from '../../../src/app/core.ts';
import { verdictDeps } from '../../../src/app/verdicts.ts';
import { lookAt, type Reader, type WatchedQueues } from '../../../src/operations/verdict/look.ts';
import type { Reason } from '../../../src/operations/verdict/verdict.ts';

const unread = () => Promise.reject(new Error('no queue is looked at'));
const queues: WatchedQueues = { deliveries: { getJobCounts: unread, getJobs: unread }, system: { redis: null, ping: unread }, every: [] };

/** What these readers of the verdict find now; they look at no queue. */
export async function reasonsBy(core: Core, readers: readonly Reader[]): Promise<Reason[]> {
  const look = lookAt({ ...verdictDeps(core, queues), outside: async () => [] });
  return (await Promise.all(readers.map((reader) => reader.read(look)))).flat();
}
