import { backoffMs } from '../order/backoff.ts';
import type { Reply } from '../order/outcome.ts';

/**
 * What a compliance service must be told of one order's record. `isFree`: no attempt is under way that could make another record. `complianceId` null:
 * there is no record. `isDeleted`: it is the last one that there was. `attempts`: this one included; they count from `madeAt` on.
 */
export type Errand = {
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

export type ErrandLedger = {
  /** Takes errands that are due, the longest first, but none to these destinations; from then on their orders have no attempt that began earlier. */
  take(page: { size: number; except: readonly string[] }): Promise<Errand[]>;
  /** Nothing is left to do. */
  done(errand: Errand): Promise<void>;
  /** `why` null: it was not tried. */
  later(errand: Errand, wait: { ms: number; why: string | null }): Promise<void>;
  /** The service can't be told. */
  unsupported(errand: Errand): Promise<void>;
  /** Those that could not be told are due again. */
  supported(kinds: readonly Errand['kind'][]): Promise<void>;
};

/** An errand to a record that is there, or was. */
export type Told = { orderId: number; destinationId: string; complianceId: string; deliveredAt: string | null };

export type ErrandDeps = {
  ledger: ErrandLedger;
  /** Whether the order's delivery is to be told at all, by the settings of its connection. */
  isWanted(errand: Errand): Promise<boolean>;
  supports(destinationId: string, kind: Errand['kind']): Promise<boolean>;
  /** Never throws for errors of service or network. */
  tell(kind: Errand['kind'], told: Told): Promise<Reply>;
  /** Does the service say itself that it has no such record? */
  isGone(told: Told): Promise<boolean>;
  onDone(errand: Errand): void;
  /** The first time only. */
  onNotDone(errand: Errand, why: string): void;
  /** [0, 1) */
  random(): number;
};

const PAGE = 64;
/** Until the attempt that is under way is over. */
const BUSY_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Runs the errands that are due, those to each destination one after the other; a destination that fails is left out for the rest of the round. */
export async function runErrands(deps: ErrandDeps, signal: AbortSignal): Promise<void> {
  const failing = new Set<string>();
  while (!signal.aborted) {
    const page = await deps.ledger.take({ size: PAGE, except: [...failing] });
    if (page.length === 0) return;
    const lanes = Map.groupBy(page, ({ destinationId }) => destinationId);
    await Promise.all([...lanes.values()].map((errands) => runLane(deps, { errands, failing, signal })));
  }
}

type Lane = { errands: readonly Errand[]; failing: Set<string>; signal: AbortSignal };

async function runLane(deps: ErrandDeps, { errands, failing, signal }: Lane): Promise<void> {
  for (const errand of errands) {
    const isSkipped = signal.aborted || (errand.destinationId !== null && failing.has(errand.destinationId));
    if (isSkipped) await deps.ledger.later(errand, { ms: 0, why: null });
    else if ((await runOne(deps, errand)) === 'destination-fails' && errand.destinationId !== null) failing.add(errand.destinationId);
  }
}

async function runOne(deps: ErrandDeps, errand: Errand): Promise<'over' | 'destination-fails'> {
  const { kind, destinationId, complianceId, orderId, deliveredAt } = errand;
  const { ledger } = deps;
  if (!errand.isFree) await ledger.later(errand, { ms: BUSY_MS, why: null });
  // A record that is made later has no buyer, and brings its own errand if it was delivered.
  else if (destinationId === null || complianceId === null || !(await isWanted(deps, errand))) await ledger.done(errand);
  else if (!(await deps.supports(destinationId, kind))) await (errand.isDeleted ? ledger.done(errand) : ledger.unsupported(errand));
  else return tell(deps, errand, { orderId, destinationId, complianceId, deliveredAt });
  return 'over';
}

async function isWanted(deps: ErrandDeps, errand: Errand): Promise<boolean> {
  return errand.kind === 'forget-buyer' || (errand.deliveredAt !== null && (await deps.isWanted(errand)));
}

async function tell(deps: ErrandDeps, errand: Errand, told: Told): Promise<'over' | 'destination-fails'> {
  const reply = await deps.tell(errand.kind, told).catch(asReply);
  if (isTaken(reply) || (isAbsent(reply) && (errand.isDeleted || (await deps.isGone(told).catch(() => false))))) {
    await deps.ledger.done(errand);
    deps.onDone(errand);
    return 'over';
  }
  const why = reply.kind === 'answered' ? reply.detail : reply.error;
  const asked = reply.kind === 'answered' ? (reply.retryAfterMs ?? 0) : 0;
  await deps.ledger.later(errand, { ms: Math.min(Math.max(backoffMs(errand.attempts, deps.random()), asked), LONGEST_WAIT_MS), why });
  if (errand.attempts === 1) deps.onNotDone(errand, why);
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
