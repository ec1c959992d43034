import type { Reply } from '../order/decisions/answer.ts';
import { backoffMs } from '../order/decisions/transition.ts';

/**
 * What a compliance service must be told of one order's record. `isFree`: no attempt is under way that could make another record. `complianceId` null:
 * there is no record. `isDeleted`: it is the last one that there was. `attempts`: this one included; they count from `madeAt` on.
 */
export type OutboxJob = {
  orderId: number;
  kind: 'forget-buyer' | 'delivered';
  madeAt: string;
  attempts: number;
  shopId: string;
  connectionId: string;
  destinationId: string | null;
  complianceId: string | null;
  isDeleted: boolean;
  deliveredAt: string | null;
  isFree: boolean;
};

export type OutboxJobLedger = {
  /** Takes outbox jobs that are due, the longest first, but none to these destinations; from then on their orders have no attempt that began earlier. */
  take(page: { size: number; except: readonly string[] }): Promise<OutboxJob[]>;
  /** Nothing is left to do. */
  done(outboxJob: OutboxJob): Promise<void>;
  /** `why` null: it was not tried. */
  later(outboxJob: OutboxJob, wait: { ms: number; why: string | null }): Promise<void>;
  /** The service can't be told. */
  unsupported(outboxJob: OutboxJob): Promise<void>;
  /** Those that could not be told are due again. */
  supported(kinds: readonly OutboxJob['kind'][]): Promise<void>;
};

/** An outbox job to a record that is there, or was. */
export type Told = { orderId: number; destinationId: string; complianceId: string; deliveredAt: string | null };

export type OutboxJobDeps = {
  ledger: OutboxJobLedger;
  /** Whether the order's delivery is to be told at all, by the settings of its connection. */
  isWanted(outboxJob: OutboxJob): Promise<boolean>;
  supports(destinationId: string, kind: OutboxJob['kind']): Promise<boolean>;
  /** Never throws for errors of service or network. */
  tell(kind: OutboxJob['kind'], told: Told): Promise<Reply>;
  /** Does the service say itself that it has no such record? */
  isGone(told: Told): Promise<boolean>;
  onDone(outboxJob: OutboxJob): void;
  /** The first time only. */
  onNotDone(outboxJob: OutboxJob, why: string): void;
  /** [0, 1) */
  random(): number;
};

const PAGE = 64;
/** Until the attempt that is under way is over. */
const BUSY_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Runs the outbox jobs that are due, those to each destination one after the other; a destination that fails is left out for the rest of the round. */
export async function runOutboxJobs(deps: OutboxJobDeps, signal: AbortSignal): Promise<void> {
  const failing = new Set<string>();
  while (!signal.aborted) {
    const page = await deps.ledger.take({ size: PAGE, except: [...failing] });
    if (page.length === 0) return;
    const byDestination = Map.groupBy(page, ({ destinationId }) => destinationId);
    await Promise.all([...byDestination.values()].map((outboxJobs) => runForDestination(deps, { outboxJobs, failing, signal })));
  }
}

type OfDestination = { outboxJobs: readonly OutboxJob[]; failing: Set<string>; signal: AbortSignal };

async function runForDestination(deps: OutboxJobDeps, { outboxJobs, failing, signal }: OfDestination): Promise<void> {
  for (const outboxJob of outboxJobs) {
    const isSkipped = signal.aborted || (outboxJob.destinationId !== null && failing.has(outboxJob.destinationId));
    if (isSkipped) await deps.ledger.later(outboxJob, { ms: 0, why: null });
    else if ((await runOne(deps, outboxJob)) === 'destination-fails' && outboxJob.destinationId !== null) failing.add(outboxJob.destinationId);
  }
}

async function runOne(deps: OutboxJobDeps, outboxJob: OutboxJob): Promise<'over' | 'destination-fails'> {
  const { kind, destinationId, complianceId, orderId, deliveredAt } = outboxJob;
  const { ledger } = deps;
  if (!outboxJob.isFree) await ledger.later(outboxJob, { ms: BUSY_MS, why: null });
  // A record that is made later has no buyer, and brings its own outbox job if it was delivered.
  else if (destinationId === null || complianceId === null || !(await isWanted(deps, outboxJob))) await ledger.done(outboxJob);
  else if (!(await deps.supports(destinationId, kind))) await (outboxJob.isDeleted ? ledger.done(outboxJob) : ledger.unsupported(outboxJob));
  else return tell(deps, outboxJob, { orderId, destinationId, complianceId, deliveredAt });
  return 'over';
}

async function isWanted(deps: OutboxJobDeps, outboxJob: OutboxJob): Promise<boolean> {
  return outboxJob.kind === 'forget-buyer' || (outboxJob.deliveredAt !== null && (await deps.isWanted(outboxJob)));
}

async function tell(deps: OutboxJobDeps, outboxJob: OutboxJob, told: Told): Promise<'over' | 'destination-fails'> {
  const reply = await deps.tell(outboxJob.kind, told).catch(asReply);
  if (isTaken(reply) || (isAbsent(reply) && (outboxJob.isDeleted || (await deps.isGone(told).catch(() => false))))) {
    await deps.ledger.done(outboxJob);
    deps.onDone(outboxJob);
    return 'over';
  }
  const why = reply.kind === 'answered' ? reply.detail : reply.error;
  const asked = reply.kind === 'answered' ? (reply.retryAfterMs ?? 0) : 0;
  await deps.ledger.later(outboxJob, { ms: Math.min(Math.max(backoffMs(outboxJob.attempts, deps.random()), asked), LONGEST_WAIT_MS), why });
  if (outboxJob.attempts === 1) deps.onNotDone(outboxJob, why);
  return isOfDestination(reply) ? 'destination-fails' : 'over';
}

// A destination whose address or secret can't be read now.
function asReply(thrown: unknown): Reply {
  return { kind: 'not-sent', error: thrown instanceof Error ? thrown.message : 'it could not be sent' };
}

function isTaken(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status >= 200 && reply.status < 300;
}

/** Of the record, or of the address: the service may lack the extension. */
function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answered' && (reply.status === 404 || reply.status === 410);
}

function isOfDestination(reply: Reply): boolean {
  return reply.kind !== 'answered' || reply.status === 401 || reply.status === 429 || reply.status >= 500;
}
