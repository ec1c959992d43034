import { isDeepStrictEqual } from 'node:util';
import type { TaxRecord } from '../../contract/record.ts';
import type { Connection } from '../connections/connection.ts';
import type { Desired } from '../order/desired.ts';
import { desired as desiredOf } from '../order/desired.ts';
import { asFailure, type Problem } from '../order/failure.ts';
import { factsOf } from '../order/merge.ts';
import { type Standing as PlanStanding, plan } from '../order/plan.ts';
import { hasReceipt } from '../order/receipt.ts';
import type { Frozen } from '../order/settings.ts';
import { transactionDueAt } from '../order/transaction-wait.ts';
import { missingOf } from '../order/view.ts';
import type { Storefront } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import { backoffMs } from './backoff.ts';
import type { ConvergeDeps, Converged } from './converge-order.ts';
import type { Claim, OpenStep, OrderState, Settled, Settlement, Step } from './converge-ports.ts';
import { fiscalSettings, frozenBy } from './fiscal-settings.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { stateOfNothing } from './order-state.ts';
import { persistently } from './persistently.ts';
import { receiptStep } from './receipt-step.ts';
import { sendStep } from './send-step.ts';

export type ConvergenceInput = { claim: Claim; connection: Connection; probe: boolean; signal: AbortSignal | undefined; onSent: (() => void) | undefined };

/** More steps than any plan has: a loop that does not end is a bug, and must not hammer the service. */
const MOST_STEPS = 8;

/** One visit to one claimed order: fetch what is missing, plan, act step by step, come to rest. */
export class Convergence {
  readonly deps: ConvergeDeps;
  connection: Connection;
  readonly probe: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onSent: (() => void) | undefined;
  claim: Claim;
  /** What was desired when the last create of this visit was planned: facts and settings of a visit do not change between the two. */
  planned: TaxRecord | null = null;
  /** Set when a settlement found the order in other hands: what it said must be written as a late reply. */
  leaseLost = false;

  constructor(deps: ConvergeDeps, { claim, connection, probe, signal, onSent }: ConvergenceInput) {
    this.deps = deps;
    this.claim = claim;
    this.connection = connection;
    this.probe = probe;
    this.signal = signal;
    this.onSent = onSent;
  }

  async run(): Promise<Converged> {
    if (!this.isBehind()) return this.askForReceipt();
    const fetched = await this.fetchMissing();
    if (fetched !== null) return fetched;
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const done = await this.advance();
      if (done !== null) return done;
    }
    throw new Error(`order ${this.claim.id} did not come to rest in ${MOST_STEPS} steps`);
  }

  private get storefront(): Storefront {
    return storefrontOf(this.deps.storefronts, this.claim.key.platform);
  }

  /** False: the record is as it should be, or a person was asked; what may be left is its receipt. */
  private isBehind(): boolean {
    const { revision, recordedRevision, heldRevision } = this.claim;
    return revision > Math.max(recordedRevision, heldRevision);
  }

  /** What should stand, by the facts and the settings of this moment. */
  desired(): Desired {
    return desiredOf({
      orderId: this.claim.key.orderId,
      facts: this.claim.facts,
      settings: fiscalSettings(this.connection, this.storefront.gateways, this.frozen()),
    });
  }

  /** A record may stand by a late reply or a person's word, without the mapping that it froze. */
  private frozen(): Frozen | null {
    const { mapping, standing, previous, facts } = this.claim;
    const record = standing?.record ?? previous;
    return mapping ?? (record === null ? null : frozenBy(record, facts));
  }

  /** Journals and sends one step; null: it is done, plan again. */
  send(step: Step): Promise<Converged | null> {
    return sendStep(this, step);
  }

  async settle(settlement: Omit<Settlement, 'claim'>): Promise<Settled> {
    const write = () => this.deps.ledger.settle({ claim: this.claim, ...settlement });
    const settled = await (settlement.step === undefined ? write() : persistently(write, this.signal));
    this.leaseLost = !settled.held;
    return settled;
  }

  /** Writes what a step came to and keeps the claim for the next one; null: plan again. */
  async goOn(write: Partial<Settlement>): Promise<Converged | null> {
    await this.settle({ state: this.pendingState(), ...write, keep: true });
    return this.leaseLost ? { kind: 'again', ms: 100, why: 'the lease was lost' } : null;
  }

  /** The order rests at this revision: ledger and service agree, or a person is asked. */
  async rest(state: OrderState, rest: Omit<Settlement, 'claim' | 'state'> = {}): Promise<Converged> {
    const resting =
      state === 'parked' || state === 'unconfirmed' ? { heldRevision: this.claim.revision } : { recordedRevision: this.claim.revision, parked: null };
    const frozen = state === 'recorded' ? this.frozen() : null;
    const isDue = receiptStep(this.claim) !== null;
    const due = isDue ? { dueAt: this.deps.now() } : {};
    await this.settle({ state, attempts: 0, ...resting, ...(frozen === null ? {} : { mapping: frozen }), ...due, ...rest });
    const recordedMs = state === 'recorded' || state === 'removed' ? this.sinceDirty() : null;
    return { kind: 'rest', state, detail: rest.parked?.code ?? '', recordedMs, ...(isDue ? { receipt: 'due' } : {}) };
  }

  /** A person is asked; unless the settings were changed a moment ago, and this visit did not know it yet. Null: plan again. */
  async park([first, ...more]: readonly [Problem, ...Problem[]]): Promise<Converged | null> {
    const detail = [first, ...more].map((problem) => (problem.code === first.code ? problem.detail : `${problem.code}: ${problem.detail}`)).join('; ');
    const parked = await this.rest('parked', { parked: { code: first.code, detail }, keep: true });
    if (this.leaseLost) return { kind: 'again', ms: 100, why: 'the lease was lost' };
    const now = await this.deps.connection(this.connection.id, { fresh: true });
    const changed = !isDeepStrictEqual([now.settings, now.recordFrom], [this.connection.settings, this.connection.recordFrom]);
    this.connection = now;
    if (changed) return null;
    await this.deps.ledger.release(this.claim);
    return parked;
  }

  async again(ms: number, why: string, settlement: Partial<Settlement> = {}): Promise<Converged> {
    const { newer, dueAt } = await this.settle({ state: this.pendingState(), dueAt: this.deps.now() + ms, ...settlement });
    // Facts that came meanwhile do not wait out the backoff of older ones.
    const soonest = newer && dueAt !== null ? Math.max(0, dueAt - this.deps.now()) : ms;
    return { kind: 'again', ms: Math.min(ms, soonest), why };
  }

  /** Waits longer with each failure in a row of this order. */
  retryLater(why: string, settlement: Partial<Settlement> = {}): Promise<Converged> {
    const attempts = this.claim.attempts + 1;
    return this.again(backoffMs(attempts, this.deps.random()), why, { attempts, ...settlement });
  }

  async held(why: string, settlement: Partial<Settlement> = {}): Promise<Converged> {
    await this.settle({ state: this.pendingState(), dueAt: this.deps.now(), ...settlement });
    return { kind: 'held', why };
  }

  pendingState(): OrderState {
    if (!this.isBehind()) return this.claim.state;
    return this.claim.state === 'unconfirmed' ? 'unconfirmed' : 'queued';
  }

  sinceDirty(): number | null {
    return this.claim.dirtySince === null ? null : this.deps.now() - Date.parse(this.claim.dirtySince);
  }

  /** In a visit of its own, after records that wait: a receipt never holds up its record, or another. */
  private async askForReceipt(): Promise<Converged> {
    const step = receiptStep(this.claim);
    return (step === null ? null : await this.send(step)) ?? this.unchanged();
  }

  private async unchanged(): Promise<Converged> {
    await this.deps.ledger.release(this.claim);
    return { kind: 'rest', state: this.claim.state, detail: 'nothing new', recordedMs: null };
  }

  private async fetchMissing(): Promise<Converged | null> {
    const { claim, connection, deps, storefront } = this;
    const missing = missingOf(claim.facts);
    if (missing === null || storefront.api === undefined || connection.access === null) return null;
    try {
      const news = await storefront.api.complete(connection.access, { orderId: claim.key.orderId, ...missing }, deps.fetchJson);
      await deps.noteStoreApi(connection.id, null);
      const merged = await deps.ledger.mergeFetched(claim, factsOf(news, new Date(deps.now()).toISOString()));
      if (merged === null) return { kind: 'again', ms: 100, why: 'the lease was lost' };
      this.claim = { ...claim, ...merged };
      return null;
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.code === 'storefront.refused') await deps.noteStoreApi(connection.id, failure.message);
      else if (failure.code !== 'storefront.unreachable') throw thrown;
      return this.retryLater(failure.message);
    }
  }

  /** One move: resolve what is open, else the first step of the plan. Null: moved, look again. */
  private async advance(): Promise<Converged | null> {
    const { claim } = this;
    if (claim.openStep !== null) return this.resolveOpen(claim.openStep);
    if (claim.standing === null && claim.previous !== null && claim.parked?.code === 'replacement.refused') return this.create(claim.previous);
    const desired = this.desired();
    const standing: PlanStanding = claim.standing === null ? { kind: 'none' } : { kind: 'record', record: claim.standing.record };
    const next = plan(desired, standing);
    if (next.kind === 'park') return this.parkOrRestore(next.problems);
    if (next.kind === 'rest')
      return desired.kind === 'nothing' ? this.rest(stateOfNothing[desired.why], { previous: null }) : this.rest('recorded', { previous: null });
    if (next.kind !== 'steps') throw new Error(`a plan of kind ${next.kind} for an order without an open step`);
    return next.steps[0] === 'delete' ? this.delete() : this.createDesired(desired);
  }

  /** A sale that was rightly recorded does not fall out because its change can't be decided. */
  private parkOrRestore(problems: readonly [Problem, ...Problem[]]): Promise<Converged | null> {
    const { previous, standing } = this.claim;
    if (standing !== null || previous === null) return this.park(problems);
    return this.create(previous);
  }

  private createDesired(desired: Desired): Promise<Converged | null> {
    if (desired.kind !== 'record') throw new Error('only a record can be created');
    const due = this.claim.previous === null ? this.transactionDue(desired) : null;
    if (due !== null) return this.again(due - this.deps.now(), 'the payment’s transaction id is awaited');
    this.planned = desired.record;
    return this.create(desired.record);
  }

  private transactionDue(desired: Desired): number | null {
    const { claim, connection, deps, storefront } = this;
    if (!storefront.transactionComesLater) return null;
    const due = transactionDueAt({ facts: claim.facts, desired, waitSeconds: connection.settings.transactionWaitSeconds });
    return due !== null && due > deps.now() ? due : null;
  }

  private create(record: TaxRecord): Promise<Converged | null> {
    const { claim, connection } = this;
    const seq = claim.stepSeq + 1;
    const idempotencyKey = idempotencyKeyOf(claim.key, seq);
    const receipt = hasReceipt(record, connection.settings.receipts);
    return this.send({ kind: 'create', seq, record, idempotencyKey, destinationId: connection.destinationId, uncertain: false, receipt });
  }

  private delete(): Promise<Converged | null> {
    const { standing, stepSeq } = this.claim;
    if (standing === null) throw new Error('only a standing record can be deleted');
    return this.send({ kind: 'delete', seq: stepSeq + 1, complianceId: standing.complianceId, destinationId: standing.destinationId, uncertain: false });
  }

  /** A step without a known outcome: deletes are safe to repeat; a create is repeated only under a key that the service honours. */
  private async resolveOpen(step: OpenStep): Promise<Converged | null> {
    if (step.kind === 'delete' || (await this.deps.compliance.honoursIdempotency(step.destinationId))) return this.send(step);
    const next = plan(this.desired(), { kind: 'unconfirmed', record: step.record });
    if (next.kind === 'resend-or-ask' && this.connection.settings.unknownOutcome === 'resend') return this.send(step);
    return this.rest('unconfirmed', { openStep: step });
  }
}
