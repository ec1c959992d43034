import { randomUUIDv7 } from 'node:crypto';
import type { Processor, Queue } from 'bullmq';
import { batcher } from '../../platform/batcher.ts';
import { comeAgain } from '../../platform/queue/come-again.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import { AskLater } from './handle-uninstalled.ts';
import { type AcceptedDelivery, DELIVERIES, type DeliveriesJob, type QueuedDeliveries, queuedDeliveries, readDeliveriesJob } from './jobs.ts';

export type DeliveriesDeps = {
  record(deliveries: readonly AcceptedDelivery[]): Promise<void>;
  /** Keeps a delivery that can't be recorded for a person. */
  sendToReview(delivery: AcceptedDelivery, failure: unknown): Promise<void>;
  poisonDetector: PoisonDetector;
  onRecorded(event: { deliveries: number; ms: number }): void;
  now(): number;
};

/** Jobs that are recorded in one transaction. */
const MOST_SHARED = 32;
const LINGER_MS = 32;

type Failed = { delivery: AcceptedDelivery; failure: unknown };

/**
 * The shell around `recordDeliveries`. Jobs that come while others are recorded go together into the next transaction. If a batch can't be recorded,
 * its deliveries are recorded one by one, so that a bad one blocks no other; it alone stays in its job, which is retried by itself. Those that may come
 * again share nothing: others would wait for them.
 */
export function deliveriesProcessor(deps: DeliveriesDeps): Processor<QueuedDeliveries, void> {
  const share = batcher(
    async (jobs: (readonly AcceptedDelivery[])[]) => {
      await together(deps, jobs.flat());
      return jobs.map(() => undefined);
    },
    { max: MOST_SHARED, parallel: 2, lingerMs: LINGER_MS },
  );
  return async (job, token) => {
    const { deliveries } = readDeliveriesJob(job.data);
    const began = deps.now();
    const quick = deliveries.filter((delivery) => !mayComeAgain(delivery));
    const isRecorded = quick.length === 0 || (job.attemptsMade === 0 && (await succeeds(share(quick))));
    const failed = isRecorded ? [] : await recordNow(deps, quick);
    const { later, others } = askedLater(await eachAlone(deps, deliveries.filter(mayComeAgain)));
    const left = await withoutReview(deps, [...failed, ...others]);
    const kept = [...left, ...later];
    deps.onRecorded({ deliveries: deliveries.length - kept.length, ms: deps.now() - began });
    // If that fails, too, the others are recorded once more, which changes nothing.
    if (kept.length > 0 && kept.length < deliveries.length) await succeeds(job.updateData(queuedDeliveries(kept.map(({ delivery }) => delivery))));
    const [first] = left;
    if (first !== undefined) throw first.failure;
    if (later.length > 0) await comeAgain(job, token, deps.now() + Math.min(...later.map(({ failure }) => failure.ms)));
  };
}

/** Its store may be called before it is recorded, or another delivery be awaited. */
function mayComeAgain({ normalized }: AcceptedDelivery): boolean {
  return normalized.kind === 'closed' || normalized.kind === 'refund-deleted';
}

async function together({ record, poisonDetector }: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<void> {
  await record(deliveries);
  poisonDetector.recorded(deliveries.map(({ id }) => id));
}

type Left = { left: AcceptedDelivery[]; failed: Failed[] };

/** Records deliveries of the inbox beside the queue, as a job of it does, but for those for which a store is asked. `left`: those that stay, also as `failed`. */
export async function recordUnqueued(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Left> {
  const quick = deliveries.filter((delivery) => !mayComeAgain(delivery));
  const unrecorded = await recordNow(deps, quick);
  const ofKind = (kind: AcceptedDelivery['normalized']['kind']) => deliveries.filter(({ normalized }) => normalized.kind === kind);
  const { later, others } = askedLater(await eachAlone(deps, ofKind('refund-deleted')));
  const failed = await withoutReview(deps, [...unrecorded, ...others]);
  return { left: [...ofKind('closed'), ...[...later, ...failed].map(({ delivery }) => delivery)], failed };
}

/** Of what failed alone, what is to come again. */
function askedLater(failed: readonly Failed[]): { later: (Failed & { failure: AskLater })[]; others: Failed[] } {
  const isLater = (one: Failed): one is Failed & { failure: AskLater } => one.failure instanceof AskLater;
  return { later: failed.filter(isLater), others: failed.filter((one) => !isLater(one)) };
}

/** Records them together, else each alone; returns those that can't be recorded now. */
async function recordNow(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Failed[]> {
  if (deliveries.length > 1 && (await succeeds(together(deps, deliveries)))) return [];
  return eachAlone(deps, deliveries);
}

/** Those that can't be recorded. */
async function eachAlone(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Failed[]> {
  const results = await Promise.allSettled(deliveries.map((delivery) => together(deps, [delivery])));
  return deliveries.flatMap((delivery, at) => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ delivery, failure: result.reason }] : [];
  });
}

/** Sends to review those that are to blame themselves. One that can't even be sent to review stays. */
async function withoutReview({ poisonDetector, sendToReview }: DeliveriesDeps, failed: readonly Failed[]): Promise<Failed[]> {
  const left: Failed[] = [];
  for (const one of failed) {
    const isInReview = poisonDetector.failed(one.delivery.id) && (await succeeds(sendToReview(one.delivery, one.failure)));
    if (!isInReview) left.push(one);
  }
  return left;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Which deliveries can't be recorded although others can. */
type PoisonDetector = {
  recorded(ids: readonly string[]): void;
  /** True: while it failed for an hour, others were recorded. */
  failed(id: string): boolean;
};

const ENOUGH_MS = 3_600_000;
/** A process that was stopped for longer can't say that others were recorded all the time. */
const LONGEST_SPAN_MS = 300_000;
/** In an outage everything fails: that is not worth the memory. */
const MOST_KNOWN = 10_000;

/**
 * Adds up, for each delivery that fails, the time between its failures; only spans in which others were recorded count, so that no delivery is to
 * blame for an outage, however long it is. Known to this process alone.
 */
export function createPoisonDetector(now: () => number): PoisonDetector {
  const known = new Map<string, { failedAt: number; ms: number; recorded: number }>();
  let recorded = 0;
  return {
    recorded: (ids) => {
      recorded += ids.length;
      if (known.size > 0) for (const id of ids) known.delete(id);
    },
    failed: (id) => {
      const at = now();
      const before = known.get(id);
      const counts = before !== undefined && recorded > before.recorded;
      const ms = (before?.ms ?? 0) + (counts ? Math.min(at - before.failedAt, LONGEST_SPAN_MS) : 0);
      if (before === undefined && known.size >= MOST_KNOWN) forgetOldest(known);
      known.set(id, { failedAt: at, ms, recorded });
      return ms >= ENOUGH_MS;
    },
  };
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const id of known.keys()) return void known.delete(id);
}

const PLAIN = /^[\w.]{1,60}$/;
const MOST_CAUSES = 3;

/** Why a delivery can't be recorded, for a person: class and code of the error. Its message may contain personal data. */
export function unrecordableWords({ body, normalized }: AcceptedDelivery, thrown: unknown): string {
  const why = `recording it failed for an hour with ${classOf(thrown)}`;
  if (body !== null) return why;
  if (normalized.kind === 'privacy') return `${why}; a privacy request: it was not carried out, and must be sent again by the store`;
  return `${why}; its body was not kept: save the order in the store, which sends it again`;
}

function classOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return 'no error';
  const code = 'code' in thrown && typeof thrown.code === 'string' && PLAIN.test(thrown.code) ? ` ${thrown.code}` : '';
  const because = thrown.cause instanceof Error && depth < MOST_CAUSES ? `, because of ${classOf(thrown.cause, depth + 1)}` : '';
  return `${thrown.constructor.name}${code}${because}`;
}

/**
 * Queues deliveries; those whose connections have the same turn stay in one job. Its id is ours: a Redis that lost its last moments counts them again, and
 * a worker that still has a lost job would write what is left of it into another one.
 */
export function createAddDeliveries(queue: Queue<QueuedDeliveries>, scheduler: Pick<FairScheduler, 'take'>): (job: DeliveriesJob) => Promise<void> {
  return async ({ deliveries }) => {
    // One by one: adding in bulk makes two temporary tables on PostgreSQL, which takes as long as ten jobs do.
    await Promise.all(
      byPriority(deliveries, scheduler).map(([priority, shared]) => queue.add(DELIVERIES, queuedDeliveries(shared), { priority, jobId: randomUUIDv7() })),
    );
  };
}

function byPriority(deliveries: readonly AcceptedDelivery[], scheduler: Pick<FairScheduler, 'take'>): [number, AcceptedDelivery[]][] {
  const ofConnection = Map.groupBy(deliveries, ({ connectionId }) => connectionId);
  const ofPriority = Map.groupBy(ofConnection, ([connectionId, own]) =>
    scheduler.take(
      connectionId,
      own.map(({ id }) => id),
    ),
  );
  return [...ofPriority].map(([priority, connections]) => [priority, connections.flatMap(([, own]) => own)]);
}
