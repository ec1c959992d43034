import { classify, type Outcome, outcomes, type Reply } from '../order/outcome.ts';
import type { Lane } from './compliance-gateway.ts';
import type { Converged } from './converge-order.ts';
import type { OpenStep, Settlement, Step, StepEnd } from './converge-ports.ts';
import type { Convergence } from './convergence.ts';
import { persistently } from './persistently.ts';
import { receiptEnded } from './receipt-step.ts';
import { createEnded, deleteEnded } from './step-ended.ts';

/** Journals a step, sends it, and writes down what came of it. Null: it is done and the order is still ours; plan again. */
export async function sendStep(visit: Convergence, step: Step): Promise<Converged | null> {
  const { deps, claim } = visit;
  const closed = visit.probe ? null : await deps.gate.closed(called(visit, step));
  if (closed !== null) return visit.held(closed.detail, step.uncertain ? { openStep: step } : {});
  // Whatever can't be found out is found out before the journal says that the step is under way.
  await deps.compliance.honoursIdempotency(step.destinationId);
  if (!(await deps.ledger.begin({ claim, step }))) return { kind: 'again', ms: 100, why: 'the lease was lost' };
  const customer = claim.facts.customer.kind === 'known' ? claim.facts.customer.customer : null;
  visit.onSent?.();
  const began = deps.now();
  const reply = await deps.compliance.send(step, { shopId: claim.key.shopId, customer }, visit.signal);
  const outcome = classify(step.kind, reply);
  deps.onStep({ kind: step.kind, outcome, ms: deps.now() - began });
  visit.claim = { ...claim, stepSeq: Math.max(claim.stepSeq, step.seq), openStep: null };
  return afterReply(visit, step, { reply, outcome, end: stepEnd(step, reply, outcome) });
}

export type StepReply = { reply: Reply; outcome: Outcome; end: StepEnd };

function called({ claim }: Convergence, step: Step) {
  return { destinationId: step.destinationId, shopId: claim.key.shopId, lane: laneOf(step) };
}

function laneOf({ kind }: Step): Lane {
  return kind === 'receipt' ? 'receipts' : 'records';
}

function stepEnd(step: Step, reply: Reply, outcome: Outcome): StepEnd {
  const answered = reply.kind === 'answered' ? reply : null;
  const id = answered === null ? null : outcome === 'conflict' ? answered.standingId : answered.id;
  return {
    seq: step.seq,
    outcome,
    status: answered?.status ?? null,
    detail: (answered?.detail ?? (reply.kind === 'answered' ? '' : reply.error)) || null,
    complianceId: step.kind === 'create' ? id : null,
  };
}

async function afterReply(visit: Convergence, step: Step, result: StepReply): Promise<Converged | null> {
  const converged = await act(visit, step, result);
  if (!visit.leaseLost) return converged;
  // Somebody else took the order while the service was answering: what it said is true all the same.
  const recorded = step.uncertain && outcomes[result.outcome].then === 'hold' ? 'unknown' : outcomes[result.outcome].recorded;
  await persistently(() => visit.deps.ledger.recordLateReply({ orderId: visit.claim.id, step, end: result.end, recorded }), visit.signal);
  return { kind: 'again', ms: 100, why: 'the lease was lost while the service was answering' };
}

async function act(visit: Convergence, step: Step, result: StepReply): Promise<Converged | null> {
  const { then, scope } = outcomes[result.outcome];
  if (then === 'hold') return hold(visit, step, { ...result, shopId: scope === 'shop' ? visit.claim.key.shopId : null });
  if (then === 'uncertain') return uncertain(visit, step, result);
  await visit.deps.gate.passed(called(visit, step));
  switch (step.kind) {
    case 'create':
      return createEnded(visit, step, result);
    case 'delete':
      return deleteEnded(visit, step, result);
    case 'receipt':
      return receiptEnded(visit, step, result);
  }
}

/** Nothing is recorded by this reply and no attempt is used. What was uncertain before stays so. */
async function hold(visit: Convergence, step: Step, { reply, outcome, end, shopId }: StepReply & { shopId: string | null }): Promise<Converged> {
  const code = outcomes[outcome].code ?? 'compliance.unreachable';
  const retryAfterMs = reply.kind === 'answered' ? reply.retryAfterMs : null;
  const detail = end.detail ?? outcome;
  await visit.deps.gate.hold({ destinationId: step.destinationId, shopId, lane: laneOf(step) }, { code, detail, retryAfterMs });
  return visit.held(`${code}: ${detail}`, { step: end, openStep: step.uncertain ? step : null });
}

async function uncertain(visit: Convergence, step: Step, { end }: StepReply): Promise<Converged> {
  const { deps, connection } = visit;
  const detail = end.detail ?? 'the reply was lost';
  await deps.gate.doubt({ destinationId: step.destinationId, lane: laneOf(step) }, { orderId: visit.claim.id, detail });
  if (step.kind === 'receipt') return visit.retryLater(detail, { step: end });
  const openStep: OpenStep = { ...step, uncertain: true };
  const write: Partial<Settlement> = { step: end, openStep };
  const resend = step.kind === 'delete' || connection.settings.unknownOutcome === 'resend' || (await deps.compliance.honoursIdempotency(step.destinationId));
  return resend ? visit.retryLater(detail, write) : visit.rest('unconfirmed', write);
}
