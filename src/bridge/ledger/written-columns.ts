import type { WriteInput } from '../delivery/attempt-ports.ts';
import { pendingState } from '../order/newer-facts.ts';
import type { Step } from '../order/step.ts';
import type { Write } from '../order/transition.ts';
import { withoutRecord } from './open-step.ts';
import { ownWords } from './review-acts.ts';

/** One transition of an attempt as the columns that its statement reads; what is absent stays as it is. */
export function writtenColumns({ claim, write, sent }: WriteInput) {
  const { step, standing, receipt, mapping, previous, doubted, openStep, state, review, recordedRevision, askedRevision, reopens, attempts, dueAt, keep } =
    write;
  return {
    id: claim.id,
    fence: claim.fence,
    revision: claim.revision,
    step: step ?? null,
    ...standingColumns(standing, sent),
    sets_receipt: receipt !== undefined || standing !== undefined,
    receipt: receipt ?? null,
    mapping: mapping ?? null,
    sets_previous: previous !== undefined,
    previous: previous ?? null,
    sets_doubted: doubted !== undefined,
    doubted: doubted ?? null,
    sets_open: openStep !== undefined,
    open_step: openStep == null ? null : withoutRecord(openStep),
    state,
    state_if_newer: pendingState(state),
    ...reviewColumns(review),
    recorded_revision: recordedRevision ?? 0,
    asked_revision: askedRevision ?? 0,
    reopens: reopens ?? false,
    attempts: attempts ?? null,
    due_at: dueAt === undefined ? null : new Date(dueAt).toISOString(),
    keep: keep ?? false,
  };
}

function reviewColumns(review: Write['review']) {
  return {
    sets_review: review !== undefined,
    review_code: review?.code ?? null,
    review_detail: review?.detail ?? null,
    told_detail: review == null ? null : ownWords(review),
  };
}

function standingColumns(standing: Write['standing'], sent: Step | undefined) {
  const isOfStep = sent?.kind === 'create' && standing?.record === sent.record;
  return {
    sets_standing: standing !== undefined,
    is_of_step: isOfStep,
    record: isOfStep ? null : (standing?.record ?? null),
    compliance_id: standing?.complianceId ?? null,
    destination: standing?.destinationId ?? null,
  };
}
