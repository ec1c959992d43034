import type { AttemptLedger, WriteInput, Written } from '../../../src/bridge/delivery/attempt-ports.ts';
import { type Claim, isPending } from '../../../src/bridge/order/decisions/claim.ts';
import { madeBy } from '../../../src/bridge/order/decisions/conclude.ts';
import { type LateReply, lateNews, stepInDoubt } from '../../../src/bridge/order/decisions/late-reply.ts';
import type { DeleteStep, OpenStep, Step } from '../../../src/bridge/order/decisions/step.ts';
import { pendingState, requeued, type Write } from '../../../src/bridge/order/decisions/transition.ts';
import { canonicalText } from '../../../src/bridge/order/facts/canonical-text.ts';
import type { CustomerFact, Facts } from '../../../src/bridge/order/facts/facts.ts';
import { fingerprint } from '../../../src/bridge/order/facts/view.ts';
import { sampleClaim } from '../samples/sample-claim.ts';
import { NOW } from './situations.ts';

/** One order in memory, with the meaning of the ledger's SQL: leases, fences, the journal. */
export class SimulatedLedger implements AttemptLedger {
  order: Claim = sampleClaim({ state: 'queued' });
  readonly journal = new Set<string>();
  readonly #deleted = new Set<string>();
  #isLeased = false;
  /** The step that was begun more than once. */
  #repeated: number | null = null;
  #sentWith: CustomerFact = { kind: 'none' };

  async claim(): ReturnType<AttemptLedger['claim']> {
    if (this.#isLeased) return { kind: 'leased', untilMs: NOW };
    this.#isLeased = true;
    this.order = { ...this.order, fence: this.order.fence + 1 };
    const { openStep } = this.order;
    return structuredClone({ ...this.order, openStep: openStep === null ? null : { ...openStep, uncertain: true } });
  }

  async begin({ claim, step }: Parameters<AttemptLedger['begin']>[0]): ReturnType<AttemptLedger['begin']> {
    if (claim.fence !== this.order.fence) return null;
    const { receipt } = this.order;
    if (this.order.openStep?.seq === step.seq) this.#repeated = step.seq;
    if (step.kind === 'create') this.journal.add(step.idempotencyKey);
    this.#set({
      openStep: step.kind === 'receipt' ? null : this.#over(step),
      stepSeq: step.seq,
      receipt: step.kind === 'receipt' && receipt?.state === 'due' ? { ...receipt, seq: step.seq } : receipt,
    });
    const { openStep } = this.order;
    const buyer = openStep?.kind === 'create' ? openStep.buyer : undefined;
    if (buyer === 'kept') return { customer: this.#sentWith, isKnown: true };
    return buyer === 'none' ? { customer: { kind: 'none' }, isKnown: true } : { customer: this.order.facts.customer, isKnown: buyer === undefined };
  }

  async write({ claim, write }: WriteInput): Promise<Written> {
    const { order } = this;
    if (claim.fence !== order.fence) return { owned: false, newer: false, dueAt: null };
    const newer = order.revision > claim.revision;
    const {
      recordedRevision = 0,
      reviewRevision = 0,
      reopens = false,
      state,
      keep = false,
      step: journaled,
      dueAt: _later,
      review,
      mapping,
      attempts,
      openStep,
      ...values
    } = structuredClone(write);
    this.#set({
      ...(values.current === undefined ? {} : { receipt: null }),
      ...values,
      ...(openStep === undefined ? {} : { openStep: openStep === null ? null : this.#over(openStep) }),
      ...questionAfter(order, { newer, state, review }),
      mapping: order.mapping ?? mapping ?? null,
      attempts: newer ? order.attempts : (attempts ?? order.attempts),
      recordedRevision: reopens ? Math.min(order.recordedRevision, order.revision - 1) : Math.max(order.recordedRevision, recordedRevision),
      reviewRevision: reopens ? Math.min(order.reviewRevision, order.revision - 1) : Math.max(order.reviewRevision, reviewRevision),
    });
    this.#end(order.openStep, journaled?.outcome);
    this.#isLeased = keep;
    return { owned: true, newer, dueAt: null };
  }

  async otherOrderOf(): Promise<null> {
    return null;
  }

  async recordLateReply(reply: LateReply): Promise<void> {
    const { current, openStep, review } = this.order;
    this.#end(reply.step, reply.end.outcome);
    const isRepeated = this.#repeated === reply.step.seq;
    const isKnown = this.#deleted.has(reply.end.complianceId ?? '');
    const news = lateNews({ complianceId: current?.complianceId ?? null, openStep, isKnown, isRepeated }, reply, NOW);
    if (news.is === 'nothing') return;
    if (news.is === 'not-recorded') this.#set({ openStep: null });
    if (news.is === 'recorded') this.#set({ current: news.current, receipt: news.receipt, openStep: null, uncertain: null });
    if (news.is === 'deleted') {
      const { uncertain } = news;
      this.#set({ previous: this.order.previous ?? current?.record ?? null, current: null, receipt: null, openStep: null, uncertain });
    }
    if (news.is === 'doubled') {
      this.#set({ state: 'review', review: { code: 'record.doubled', detail: news.detail }, reviewRevision: this.order.revision });
    } else if (review?.code !== 'record.doubled') this.reevaluate();
    this.lose();
  }

  async mergeFetched(claim: Claim): Promise<Pick<Claim, 'facts' | 'revision'> | null> {
    return claim.fence === this.order.fence ? { facts: this.order.facts, revision: this.order.revision } : null;
  }

  async release({ fence }: Pick<Claim, 'fence'>): Promise<void> {
    if (fence === this.order.fence) this.#isLeased = false;
  }

  /** Its worker dies or is too slow. */
  expire(): void {
    this.#isLeased = false;
  }

  /** Takes the order from its worker. */
  lose(): void {
    this.expire();
    this.#set({ fence: this.order.fence + 1 });
  }

  merge(facts: Facts): void {
    const { state, review, revision } = this.order;
    this.#keepBuyer(facts.customer);
    const raised = fingerprint(facts) !== fingerprint(this.order.facts);
    const { queued, cleared, asked } = requeued({ state, reviewCode: review?.code ?? null }, raised);
    const next = revision + Number(raised);
    this.#set({
      ...{ facts, revision: next, state: queued ? 'queued' : state, review: cleared ? null : review },
      ...(asked ? { reviewRevision: next } : {}),
    });
  }

  /** The buyer asked for it: no later snapshot brings them back. */
  erase(): void {
    this.merge({ ...this.order.facts, customer: { kind: 'erased' } });
  }

  /** What a repeat of the open create must be sent with, before the order's buyer becomes another one. */
  #keepBuyer(after: CustomerFact): void {
    const { openStep, facts } = this.order;
    const { customer: before } = facts;
    if (openStep?.kind !== 'create') return;
    const isErased = after.kind === 'erased' && (openStep.buyer === 'kept' || (openStep.buyer === undefined && before.kind === 'known'));
    if (isErased) this.#set({ openStep: { ...openStep, buyer: 'erased' } });
    else if (openStep.buyer === undefined && after.kind === 'known' && canonicalText(before) !== canonicalText(after)) {
      this.#sentWith = before;
      this.#set({ openStep: { ...openStep, buyer: before.kind === 'known' ? 'kept' : 'none' } });
    }
  }

  /** A step over the open one: with whom that was sent only the ledger says. */
  #over(step: OpenStep): OpenStep {
    const { openStep } = this.order;
    const written = structuredClone(step);
    if (written.kind !== 'create') return written;
    const { buyer: _ofAttempt, ...rest } = written;
    return openStep?.kind === 'create' && openStep.seq === step.seq && openStep.buyer !== undefined ? { ...rest, buyer: openStep.buyer } : rest;
  }

  reevaluate(): void {
    const { revision, recordedRevision, reviewRevision } = this.order;
    this.#set({ state: 'queued', recordedRevision: Math.min(recordedRevision, revision - 1), reviewRevision: Math.min(reviewRevision, revision - 1) });
  }

  /** `orderbridge release`, and the effect of changed settings on the orders in review that they can cure. */
  releaseFromReview(): void {
    if (this.order.state !== 'review') return;
    this.#set({ review: null, attempts: 0 });
    this.reevaluate();
  }

  /** `orderbridge confirm`: a person says under which id the record of the step in doubt exists, or that it does not. */
  confirm(recorded: string | null): void {
    const { state, openStep } = this.order;
    const step = stepInDoubt({ state, openStep, isLeased: this.#isLeased });
    if (step === null) return;
    if (step.kind === 'delete') this.#confirmDelete(step, recorded);
    else this.#set(recorded === null ? { current: null, receipt: null } : madeBy(step, recorded, NOW));
    this.#set({ openStep: null, uncertain: null, attempts: 0 });
    this.reevaluate();
    this.lose();
  }

  get isAtRest(): boolean {
    return !isPending(this.order) && this.order.receipt?.state !== 'due';
  }

  #confirmDelete({ complianceId, destinationId }: DeleteStep, recorded: string | null): void {
    const record = this.order.current?.record ?? this.order.previous;
    if (recorded === null) this.#deleted.add(complianceId);
    const stands = recorded === null || record === null ? null : { record, complianceId: recorded, destinationId };
    this.#set(stands === null ? { current: null, receipt: null, previous: record } : { current: stands, previous: null });
  }

  #end(step: Step | null, outcome = ''): void {
    if (step?.kind === 'delete' && (outcome === 'deleted' || outcome === 'gone')) this.#deleted.add(step.complianceId);
  }

  #set(values: Partial<Claim>): void {
    this.order = { ...this.order, ...values };
  }
}

/** Newer facts answer what a person was asked, unless a person is asked about them, too. */
function questionAfter(
  order: Claim,
  { newer, state, review }: Pick<Write, 'state'> & { newer: boolean; review: Write['review'] },
): Pick<Claim, 'state' | 'review'> {
  if (!newer) return { state, review: review === undefined ? order.review : review };
  const isStillAsked = order.reviewRevision >= order.revision;
  return isStillAsked ? { state: order.state, review: order.review } : { state: pendingState(state), review: null };
}
