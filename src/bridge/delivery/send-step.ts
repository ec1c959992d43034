import { type Answer, answerOf } from '../order/answer.ts';
import { leaseLost } from '../order/attempt-end.ts';
import type { Claim } from '../order/claim.ts';
import { conclude } from '../order/conclude.ts';
import { foundOut, isToLookUp, type Looked, withLookUp } from '../order/look-up.ts';
import type { Send } from '../order/next-action.ts';
import type { CreateStep, OpenStep, Step } from '../order/step.ts';
import { goOn, notSent, transitionOf } from '../order/transition.ts';
import { vatDiffers } from '../order/vat-difference.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import type { ActionResult, AttemptDeps, Begun, Known, Mode } from './attempt-mode.ts';
import { decideAction } from './decide-action.ts';
import { passOn } from './pass-on.ts';
import type { Called } from './pauses.ts';
import { retryWrite } from './retry-write.ts';
import { termsOf } from './terms-of.ts';
import { whyInsecure } from './why-insecure.ts';
import { writeTransition } from './write-transition.ts';

/** Journals a step, sends it, and writes its result. */
export async function sendStep(mode: Mode, known: Known, action: Send): Promise<ActionResult> {
  const { deps, probe } = mode;
  const { claim, connection } = known;
  const waits = await whyNot(deps, { known, action, probe });
  const step = await withEncoding(deps, action.step);
  if (waits !== null) return writeTransition(mode, known, { transition: notSent(claim, step, { why: waits.why, now: deps.now() }) });
  // A look-up that may fail comes before the journal says that the step is under way.
  const mayResend = await deps.compliance.honoursIdempotency(step.destinationId);
  const begun = await deps.ledger.begin({ claim, step });
  if (begun === null) return { known, end: leaseLost };
  // Its buyer was erased while this attempt began: other bytes must not go under its key.
  if (step.kind === 'create' && step.uncertain && !begun.isKnown) return confirmStep(mode, known, { ...step, buyer: 'erased' });
  const ofBuyer = { ...claim, facts: { ...claim.facts, customer: begun.customer } };
  return sendBegun(mode, { ...known, claim: ofBuyer }, { action: { ...action, step }, connection, mayResend });
}

/** A create that can't be repeated. Where the service lists its records, that shows what became of one whose buyer is erased; else a person is asked. */
export async function confirmStep(mode: Mode, known: Known, step: CreateStep): Promise<ActionResult> {
  const { claim } = known;
  const looked = step.buyer === 'erased' ? await lookUp(mode, claim, step) : HIDDEN;
  if (looked.is === 'hidden') return writeTransition(mode, known, { transition: transitionOf({ do: 'confirm', step }, claim, mode.deps.now()) });
  const found = foundOut(step, looked);
  if (found.outcome === 'recorded') return concluded(mode, { ...known, mayResend: false, wanted: null }, { step, answer: found });
  return writeTransition(mode, known, { transition: goOn({ ...claim, openStep: null }, { step: found.end, openStep: null }) });
}

/** A new create remembers how it is written, if the service takes another way than most: a repeat is written in the same one. */
async function withEncoding<Sent extends Step>({ compliance }: Pick<AttemptDeps, 'compliance'>, step: Sent): Promise<Sent> {
  if (step.kind !== 'create' || step.uncertain) return step;
  const encoding = await compliance.encodingOf(step.destinationId);
  return encoding === null ? step : { ...step, encoding };
}

/** Sends a step that is journaled, and writes its result. */
export async function sendBegun(mode: Mode, known: Known, { action, connection, mayResend }: Begun): Promise<ActionResult> {
  const { wanted } = action;
  const { deps, onSent, signal } = mode;
  const { claim } = known;
  const customer = claim.facts.customer.kind === 'known' ? claim.facts.customer.customer : null;
  onSent?.();
  const began = deps.now();
  const said = answerOf(action.step, await deps.compliance.send(action.step, { shopId: claim.key.shopId, customer }, signal));
  deps.onStep({ kind: action.step.kind, outcome: said.outcome, ms: deps.now() - began });
  await passOn(deps.pauses, calledFor(claim, action.step), { orderId: claim.id, answer: said });
  return concluded(mode, { ...known, connection, mayResend, wanted }, await lookedUp(mode, claim, { step: action.step, answer: said }));
}

type SentAs = Known & Pick<Begun, 'mayResend'> & Pick<Send, 'wanted'>;

/** Writes what an answer means for the order. */
async function concluded(mode: Mode, { mayResend, wanted, ...known }: SentAs, { step, answer }: Answered): Promise<ActionResult> {
  const { deps, storefront, onLast, signal } = mode;
  const { claim, connection } = known;
  const standsFor = answer.outcome === 'conflict' ? await retryWrite(() => deps.ledger.standsFor(claim, answer.end.complianceId), signal) : null;
  const workedAt = deps.compliance.workedAt(step.destinationId);
  const sent = { claim, terms: termsOf(connection, storefront), wanted, mayResend, workedAt, standsFor, now: deps.now(), random: deps.random() };
  const transition = conclude(sent, step, answer);
  if (transition.end !== null) onLast?.();
  const made = transition.write.standing?.record;
  if (made !== undefined && vatDiffers(made, claim.facts.snapshot)) deps.onVatDifference();
  return writeTransition(mode, known, { transition, sent: { step, answer } });
}

/** A repeat that was refused, in the light of the service's own list of records, if it has one. */
async function lookedUp(mode: Mode, claim: Claim, { step, answer }: Answered): Promise<Answered> {
  return isToLookUp(step, answer) ? withLookUp(step, answer, await lookUp(mode, claim, step)) : { step, answer };
}

const HIDDEN: Looked = { is: 'hidden' };

/** What the service shows of a step's record; what this ledger knows as another order's is not this one's. */
async function lookUp({ deps, signal }: Mode, claim: Claim, step: OpenStep): Promise<Looked> {
  const looked = await deps.compliance.lookUp(step, claim.key.shopId);
  const isOthers =
    step.kind === 'create' && looked.is === 'there' && (await retryWrite(() => deps.ledger.standsFor(claim, looked.complianceId), signal)) !== null;
  return isOthers ? HIDDEN : looked;
}

/** The first step towards what should be recorded, if that is what comes next and it may be sent now: it can be journaled with the claim. */
export async function firstStep(deps: AttemptDeps, claim: Claim): Promise<Begun | null> {
  const connection = await deps.connection(claim.connectionId);
  const known = { claim, connection };
  const action = await decideAction({ deps, storefront: storefrontOf(deps.storefronts, claim.key.platform) }, known);
  if (action.do !== 'send' || !(await mayCall(deps, known, action))) return null;
  const step = await withEncoding(deps, action.step);
  // With whom it was sent the ledger says as it journals the repeat.
  if (step.kind === 'create' && step.buyer !== undefined) return null;
  return { action: { ...action, step }, connection, mayResend: await deps.compliance.honoursIdempotency(step.destinationId) };
}

/** Whether nothing that was seen lately is in the way. Why something is, the attempt finds out, and says. */
async function mayCall({ pauses, compliance }: AttemptDeps, { claim, connection }: Known, { step }: Send): Promise<boolean> {
  if (connection.destinationId !== step.destinationId) return false;
  return (await pauses.paused(calledFor(claim, step))) === null && (await compliance.whyInsecure(step.destinationId)) === null;
}

function calledFor({ key }: Claim, step: Step): Called {
  return { destinationId: step.destinationId, shopId: key.shopId, callType: step.kind === 'receipt' ? 'receipts' : 'records' };
}

type Answered = { step: Step; answer: Answer };
type Intended = { known: Known; action: Send; probe: boolean };

/** Why a step must wait. A delete whose replacement is made elsewhere waits for both places, so that not nothing is recorded meanwhile. */
async function whyNot(deps: AttemptDeps, { known: { claim, connection }, action, probe }: Intended): Promise<{ why: string } | null> {
  const called = calledFor(claim, action.step);
  const paused = probe ? null : await deps.pauses.paused(called);
  const { destinationId } = connection;
  const isMoved = action.step.kind === 'delete' && action.wanted?.kind === 'record' && destinationId !== called.destinationId;
  const elsewhere = isMoved ? { ...called, destinationId } : null;
  const why = paused ?? (elsewhere && (await deps.pauses.paused(elsewhere)));
  return why ?? (await whyInsecure(deps, called)) ?? (elsewhere && whyInsecure(deps, elsewhere));
}
