import { plan, sameContent } from '../order/plan.ts';
import { type Receipt, receiptDue } from '../order/receipt.ts';
import { vatDiffers } from '../order/vat-difference.ts';
import type { Converged } from './converge-order.ts';
import type { OpenStep, Settlement, Standing } from './converge-ports.ts';
import type { Convergence } from './convergence.ts';
import { frozenBy } from './fiscal-settings.ts';
import { stateOfNothing } from './order-state.ts';
import type { StepReply } from './send-step.ts';

type CreateStep = Extract<OpenStep, { kind: 'create' }>;
type Made = { standing: Standing; receipt: Receipt | null };
type DeleteStep = Extract<OpenStep, { kind: 'delete' }>;

/** A create has a known outcome: recorded, or not. */
export async function createEnded(visit: Convergence, step: CreateStep, reply: StepReply): Promise<Converged | null> {
  const { outcome, end } = reply;
  // The service holds the record that our lost request made: it is ours, with exactly that content.
  const adopted = outcome === 'conflict' && step.uncertain && end.complianceId !== null;
  if ((outcome === 'recorded' || adopted) && end.complianceId !== null) {
    const standing = { record: step.record, complianceId: end.complianceId, destinationId: step.destinationId };
    const receipt = step.receipt === true ? receiptDue(end.complianceId, visit.deps.now()) : null;
    return stands(visit, { standing, receipt }, reply);
  }
  const detail = end.detail ?? `the service answered ${end.status ?? 'nothing'}`;
  if (outcome === 'conflict')
    return visit.rest('parked', { ...over(reply), parked: { code: 'compliance.conflict', detail: conflictWords(detail, end.complianceId) } });
  return refused(visit, step, { ...reply, detail });
}

function conflictWords(detail: string, standingId: string | null): string {
  return standingId === null ? detail : `${detail} (its id there: ${standingId})`;
}

function over({ end }: StepReply): Partial<Settlement> {
  return { step: end, openStep: null };
}

async function stands(visit: Convergence, { standing, receipt }: Made, reply: StepReply): Promise<Converged | null> {
  const { claim } = visit;
  const mapping = frozenBy(standing.record, claim.facts);
  if (vatDiffers(standing.record, claim.facts.snapshot)) visit.deps.onVatDifference();
  const write = { ...over(reply), standing, receipt, mapping, previous: null };
  visit.claim = { ...claim, standing, receipt, previous: null, mapping: claim.mapping ?? mapping };
  if (claim.parked?.code === 'replacement.refused' && claim.previous !== null && sameContent(standing.record, claim.previous)) {
    return visit.rest('parked', { ...write, parked: claim.parked });
  }
  if (standing.record === visit.planned) return visit.rest('recorded', write);
  const next = plan(visit.desired(), { kind: 'record', record: standing.record });
  if (next.kind === 'rest') return visit.rest('recorded', write);
  return visit.goOn(write);
}

async function refused(visit: Convergence, step: CreateStep, reply: StepReply & { detail: string }): Promise<Converged | null> {
  const { previous } = visit.claim;
  if (previous === null) return visit.rest('parked', { ...over(reply), parked: { code: 'compliance.refused', detail: reply.detail } });
  if (sameContent(step.record, previous)) {
    const detail = `${reply.detail}; what stood before was refused as well: nothing stands now`;
    return visit.rest('parked', { ...over(reply), parked: { code: 'replacement.refused', detail } });
  }
  const parked = { code: 'replacement.refused', detail: reply.detail } as const;
  visit.claim = { ...visit.claim, parked };
  return visit.goOn({ ...over(reply), parked });
}

/** A delete has a known outcome. */
export async function deleteEnded(visit: Convergence, _step: DeleteStep, reply: StepReply): Promise<Converged | null> {
  const { claim } = visit;
  if (reply.outcome === 'refused') {
    const detail = `the delete was refused: ${reply.end.detail ?? reply.end.status ?? ''}`;
    return visit.rest('parked', { ...over(reply), parked: { code: 'compliance.refused', detail } });
  }
  const previous = claim.standing?.record ?? claim.previous;
  visit.claim = { ...claim, standing: null, receipt: null, previous };
  const desired = visit.desired();
  if (desired.kind === 'nothing') return visit.rest(stateOfNothing[desired.why], { ...over(reply), standing: null, previous: null });
  return visit.goOn({ ...over(reply), standing: null, previous });
}
