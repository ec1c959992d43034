import { retry } from '../../platform/retry.ts';
import { type Connection, termsOf } from '../connections/connection.ts';
import { type Answer, answerOf, destinationNews, foundOut, isToLookUp, type LookUpResult, withLookUp } from '../order/decisions/answer.ts';
import { type Claim, isPending } from '../order/decisions/claim.ts';
import { conclude } from '../order/decisions/conclude.ts';
import { type Action, type Fetch, goesOnWithout, nextAction, type Send, type Stop, waitedTooLong } from '../order/decisions/next-action.ts';
import type { CreateStep, OpenStep, Step } from '../order/decisions/step.ts';
import {
  type AttemptEnd,
  goOn,
  handedOver,
  leasedUntil,
  leaseLost,
  leaseLostWhileAnswering,
  notSent,
  reopened,
  retryLater,
  soonest,
  type Transition,
  transitionOf,
  unopened,
  waitForStore,
} from '../order/decisions/transition.ts';
import { canonicalText } from '../order/facts/canonical-text.ts';
import { knownBuyer, type OrderKey } from '../order/facts/facts.ts';
import { sameTerms } from '../order/facts/settings.ts';
import { vatDiffers } from '../order/money/untaxed-prices.ts';
import { storefrontOf } from '../storefronts/registry.ts';
import type { ActionResult, AttemptDeps, AttemptOptions, BegunSend, ClaimedOrder, Mode } from './attempt-ports.ts';
import type { Called, Pauses } from './pauses.ts';
import { type NotRead, readStore } from './read-store.ts';

/** How an attempt ended, and which order it was about; unknown if the order could not be claimed. */
export type Processed = (AttemptEnd | { kind: 'missing' }) & { order?: { key: OrderKey; connectionId: string } };

export type ProcessInput = AttemptOptions & { orderId: number };

/** An order that is claimed. `begun`: its first step is journaled, and not sent. */
export type Claimed = { claim: Claim; begun: BegunSend | null };

/** How an attempt rests that had nothing to do. */
export const NOTHING_NEW = 'nothing new';

/** More actions than any order needs: an attempt that does not end is a bug, and must not hammer the service. */
const MOST_ACTIONS = 8;

/**
 * One attempt at an order: makes the compliance service agree with its facts. Safe to call at any time, any number of times, from anywhere. Decisions
 * are made in `order`, and carried out here. This file tells it from top to bottom: the order is claimed; what to do next is decided; what is missing is
 * fetched from the store; a step is journaled and sent; its answer is concluded from; and what that means is written.
 */
export async function processOrder(deps: AttemptDeps, { orderId, ...options }: ProcessInput, signal?: AbortSignal): Promise<Processed> {
  const claim = await deps.ledger.claim(orderId);
  if ('kind' in claim) return claim.kind === 'missing' ? claim : leasedUntil(claim.untilMs, deps.now());
  return processClaimed(deps, { claim, begun: null, ...options }, signal);
}

/** The same of an order that is claimed already. */
export async function processClaimed(
  deps: AttemptDeps,
  { claim, begun, probe = false, ...options }: AttemptOptions & Claimed,
  signal?: AbortSignal,
): Promise<Processed> {
  try {
    const connection = begun?.connection ?? (await deps.connection(claim.connectionId));
    const storefront = storefrontOf(deps.storefronts, claim.key.platform);
    const mode: Mode = { deps, storefront, probe, ...options, signal };
    const known = { claim, connection };
    const first = begun === null ? { known, end: null } : await sendBegun(mode, known, begun);
    const end = first.end ?? (await actUntilEnd(mode, first.known));
    return { ...end, order: { key: claim.key, connectionId: claim.connectionId } };
  } catch (thrown) {
    await deps.ledger.release(claim).catch(() => undefined);
    throw thrown;
  }
}

async function actUntilEnd(mode: Mode, start: ClaimedOrder): Promise<AttemptEnd> {
  let known = start;
  let actions = 0;
  while (actions < MOST_ACTIONS) {
    const action = await decideAction(mode, known);
    const result = await act(mode, known, action);
    if (result.end !== null) return result.end;
    known = result.known;
    actions += action.do === 'fetch' ? 0 : 1;
  }
  throw new Error(`order ${start.claim.id} did not come to rest in ${MOST_ACTIONS} steps`);
}

/** What to do next with an order as this attempt knows it. */
async function decideAction({ deps, storefront }: Pick<Mode, 'deps' | 'storefront'>, { claim, connection, queried }: ClaimedOrder): Promise<Action> {
  const { openStep } = claim;
  const canResend = openStep?.kind === 'create' && isPending(claim);
  return nextAction({
    claim,
    ...(queried === undefined ? {} : { queried }),
    terms: termsOf(connection, storefront),
    mayFetch: queried === undefined && connection.access !== null && storefront.api !== undefined,
    mayResend: canResend && (await deps.compliance.honoursIdempotency(openStep.destinationId)),
    now: deps.now(),
  });
}

/** What is left alone, such as a receipt that is due while a step is open, is looked at again after so long; news make it due at once. */
const LEFT_MS = 10 * 60_000;

async function act(mode: Mode, known: ClaimedOrder, action: Action): Promise<ActionResult> {
  switch (action.do) {
    case 'skip':
      await mode.deps.ledger.release(known.claim, LEFT_MS);
      return { known, end: { kind: 'rest', state: known.claim.state, detail: NOTHING_NEW, recordedMs: null } };
    case 'fetch':
      return fetchMissing(mode, known, action);
    case 'send':
      return sendStep(mode, known, action);
    case 'review':
      return askPerson(mode, known, action);
    case 'confirm':
      return confirmStep(mode, known, action.step);
    case 'end':
    case 'wait':
      return writeTransition(mode, known, { transition: stopped(mode, known, action) });
  }
}

function stopped({ deps, storefront }: Mode, { claim, connection }: ClaimedOrder, action: Stop): Transition {
  return transitionOf(action, claim, { terms: termsOf(connection, storefront), now: deps.now() });
}

/** The store call queue processes an order that waits for its store; if it has no room for it, it is processed again after so long. */
const FETCHED_BY_MS = 20_000;

async function fetchMissing(mode: Mode, known: ClaimedOrder, { missing }: Fetch): Promise<ActionResult> {
  const { deps, storefront, fetches: signal } = mode;
  const { claim, connection } = known;
  const { access } = connection;
  if (storefront.api === undefined || access === null) return { known: { ...known, queried: 'unanswered' }, end: null };
  const read = await readStore(deps, { claim, connection, access, api: storefront.api, missing, signal });
  switch (read.kind) {
    case 'merged':
      return { known: { ...known, claim: { ...claim, ...read.claim }, queried: 'answered' }, end: null };
    case 'lease lost':
      return { known, end: leaseLost };
    case 'elsewhere':
      return writeTransition(mode, known, { transition: handedOver(claim, { host: read.host, now: deps.now(), random: deps.random() }) });
    case 'full':
      await deps.ledger.release(claim, FETCHED_BY_MS * (1 + deps.random()));
      return { known, end: { kind: 'fetch', host: read.host } };
    case 'not-read':
      return notFetched(mode, known, { missing, read });
  }
}

/** It is retried for hours, then a person is asked. */
async function notFetched(mode: Mode, known: ClaimedOrder, { missing, read }: Pick<Fetch, 'missing'> & { read: NotRead }): Promise<ActionResult> {
  const { deps, storefront } = mode;
  const { claim, connection } = known;
  const { code, detail, leftMs, isSure } = read;
  const now = deps.now();
  if (goesOnWithout(claim, termsOf(connection, storefront), missing)) return { known: { ...known, queried: 'unanswered' }, end: null };
  if (isSure && waitedTooLong(claim, now)) return { known: { ...known, queried: { code, detail } }, end: null };
  const later = { why: `${code}: ${detail}`, now, random: deps.random() };
  return writeTransition(mode, known, { transition: leftMs === null ? retryLater(claim, later) : waitForStore(claim, { ...later, leftMs }) });
}

/** Journals a step, sends it, and writes its result. */
async function sendStep(mode: Mode, known: ClaimedOrder, action: Send): Promise<ActionResult> {
  const { deps, probe, signal } = mode;
  const { claim, connection } = known;
  const waits = await whyNot(deps, { known, action, probe });
  const step = await withEncoding(deps, action.step);
  if (waits !== null) return writeTransition(mode, known, { transition: notSent(claim, step, { why: waits.why, now: deps.now() }) });
  // A look-up that may fail comes before the journal says that the step is under way.
  const mayResend = await deps.compliance.honoursIdempotency(step.destinationId);
  const begun = await deps.ledger.begin({ claim, step });
  if (begun === null) return { known, end: leaseLost };
  if (begun === 'unopened') {
    const transition = unopened(claim, step, { now: deps.now(), random: deps.random() });
    return retryWrite(() => writeTransition(mode, known, { transition }), signal);
  }
  // Its buyer was erased while this attempt began: other bytes must not go under its key.
  if (step.kind === 'create' && step.uncertain && !begun.isKnown) return confirmStep(mode, known, { ...step, buyer: 'erased' });
  const ofBuyer = { ...claim, facts: { ...claim.facts, customer: begun.customer } };
  return sendBegun(mode, { ...known, claim: ofBuyer }, { action: { ...action, step }, connection, mayResend });
}

type Answered = { step: Step; answer: Answer };
type Intended = { known: ClaimedOrder; action: Send; probe: boolean };

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

/** A destination to which the key would go in the clear is paused without a call, by a probe, too. */
async function whyInsecure({ compliance, pauses }: AttemptDeps, { destinationId, callType }: Called): Promise<{ why: string } | null> {
  const detail = await compliance.whyInsecure(destinationId);
  if (detail === null) return null;
  await pauses.pause({ destinationId, shopId: null, callType }, { code: 'compliance.insecure', detail, retryAfterMs: null });
  return { why: `compliance.insecure: ${detail}` };
}

/** A new create remembers how it is written, if the service takes another way than most: a repeat is written in the same one. */
async function withEncoding<Sent extends Step>({ compliance }: Pick<AttemptDeps, 'compliance'>, step: Sent): Promise<Sent> {
  if (step.kind !== 'create' || step.uncertain) return step;
  const encoding = await compliance.encodingOf(step.destinationId);
  return encoding === null ? step : { ...step, encoding };
}

/** Sends a step that is journaled, and writes its result. */
async function sendBegun(mode: Mode, known: ClaimedOrder, { action, connection, mayResend }: BegunSend): Promise<ActionResult> {
  const { wanted } = action;
  const { deps, onSent, signal } = mode;
  const { claim } = known;
  const customer = knownBuyer(claim.facts.customer);
  onSent?.();
  const began = deps.now();
  const said = answerOf(action.step, await deps.compliance.send(action.step, { shopId: claim.key.shopId, customer }, signal));
  deps.onStep({ kind: action.step.kind, outcome: said.outcome, ms: deps.now() - began });
  // Beside the write, which must not wait for it. What was cut off by this process itself says nothing of the destination.
  const passing = signal?.aborted === true ? null : passOn(deps.pauses, calledFor(claim, action.step), { orderId: claim.id, answer: said });
  const result = await concluded(mode, { ...known, connection, mayResend, wanted }, await lookedUp(mode, claim, { step: action.step, answer: said }));
  await passing;
  return result;
}

/** Reports what an answer says about its destination, for all orders of it. */
async function passOn(pauses: Pauses, called: Called, { orderId, answer }: { orderId: number; answer: Answer }): Promise<void> {
  const { destinationId, shopId, callType } = called;
  const news = destinationNews(answer);
  switch (news.is) {
    case 'unclear':
      return;
    case 'working':
      return pauses.works(called);
    case 'uncertain': {
      const { is: _uncertain, ...doubt } = news;
      return pauses.doubt(called, { orderId, ...doubt });
    }
    case 'paused': {
      const { is: _paused, wholeDestination, ...reason } = news;
      return pauses.pause({ destinationId, shopId: wholeDestination ? null : shopId, callType }, reason);
    }
  }
}

function calledFor({ key }: Claim, step: Step): Called {
  return { destinationId: step.destinationId, shopId: key.shopId, callType: step.kind === 'receipt' ? 'receipts' : 'records' };
}

/** The first step towards what should be recorded, if that is what comes next and it may be sent now: it can be journaled with the claim. */
export async function firstStep(deps: AttemptDeps, claim: Claim): Promise<BegunSend | null> {
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
async function mayCall({ pauses, compliance }: AttemptDeps, { claim, connection }: ClaimedOrder, { step }: Send): Promise<boolean> {
  if (connection.destinationId !== step.destinationId) return false;
  return (await pauses.paused(calledFor(claim, step))) === null && (await compliance.whyInsecure(step.destinationId)) === null;
}

/** A repeat that was refused, in the light of the service's own list of records, if it has one. */
async function lookedUp(mode: Mode, claim: Claim, { step, answer }: Answered): Promise<Answered> {
  return isToLookUp(step, answer) ? withLookUp(step, answer, await lookUp(mode, claim, step)) : { step, answer };
}

const HIDDEN: LookUpResult = { is: 'hidden' };

/** What the service shows of a step's record; what this ledger knows as another order's is not this one's. */
async function lookUp({ deps, signal }: Mode, claim: Claim, step: OpenStep): Promise<LookUpResult> {
  const looked = await deps.compliance.lookUp(step, claim.key.shopId);
  const isOthers =
    step.kind === 'create' && looked.is === 'there' && (await retryWrite(() => deps.ledger.otherOrderOf(claim, looked.complianceId), signal)) !== null;
  return isOthers ? HIDDEN : looked;
}

/** A create that can't be repeated. Where the service lists its records, that shows what became of one whose buyer is erased; else a person is asked. */
async function confirmStep(mode: Mode, known: ClaimedOrder, step: CreateStep): Promise<ActionResult> {
  const { claim } = known;
  const looked = step.buyer === 'erased' ? await lookUp(mode, claim, step) : HIDDEN;
  if (looked.is === 'hidden') return writeTransition(mode, known, { transition: stopped(mode, known, { do: 'confirm', step }) });
  const found = foundOut(step, looked);
  if (found.outcome === 'recorded') return concluded(mode, { ...known, mayResend: false, wanted: null }, { step, answer: found });
  return writeTransition(mode, known, { transition: goOn({ ...claim, openStep: null }, { step: found.end, openStep: null }) });
}

type SentAs = ClaimedOrder & Pick<BegunSend, 'mayResend'> & Pick<Send, 'wanted'>;

/** Writes what an answer means for the order. */
async function concluded(mode: Mode, { mayResend, wanted, ...known }: SentAs, { step, answer }: Answered): Promise<ActionResult> {
  const { deps, storefront, onLast, signal } = mode;
  const { claim, connection } = known;
  const otherOrder = answer.outcome === 'conflict' ? await retryWrite(() => deps.ledger.otherOrderOf(claim, answer.end.complianceId), signal) : null;
  const workedAt = deps.compliance.workedAt(step.destinationId);
  const sent = { claim, terms: termsOf(connection, storefront), wanted, mayResend, workedAt, otherOrder, now: deps.now(), random: deps.random() };
  const transition = conclude(sent, step, answer);
  if (transition.end !== null) onLast?.();
  const made = transition.write.current?.record;
  if (made !== undefined && vatDiffers(made, claim.facts.snapshot)) deps.onVatDifference();
  return writeTransition(mode, known, { transition, sent: { step, answer } });
}

/** A person is asked; unless what the question depends on was changed a moment ago, and this attempt did not know it yet: nobody sees a question that is none. */
async function askPerson(mode: Mode, known: ClaimedOrder, action: Extract<Stop, { do: 'review' }>): Promise<ActionResult> {
  const { claim } = known;
  const before = await changed(mode, known);
  if (before !== null) return { known: { claim, connection: before }, end: null };
  return writeTransition(mode, known, { transition: stopped(mode, known, action) });
}

/**
 * The order rests as it is written; unless the settings, or the access to the store, are not those that this attempt knew. Looked at after the write, since anyone
 * who changed them meanwhile found nothing to decide again.
 */
async function restUnlessChanged(mode: Mode, known: ClaimedOrder, end: AttemptEnd): Promise<ActionResult> {
  const { claim } = known;
  const after = await retryWrite(() => changed(mode, known), mode.signal);
  if (after !== null) return writeTransition(mode, { claim, connection: after }, { transition: reopened(claim) });
  await mode.deps.ledger.release(claim);
  return { known, end };
}

/** The connection as it is now, if decisions depend on what differs; null: nothing does. */
async function changed({ deps, storefront }: Mode, { connection }: ClaimedOrder): Promise<Connection | null> {
  const now = await deps.connection(connection.id, { fresh: true });
  const isSame = sameTerms(termsOf(now, storefront), termsOf(connection, storefront)) && sameAccess(now, connection);
  return isSame ? null : now;
}

function sameAccess(a: Connection, b: Connection): boolean {
  return canonicalText(a.access) === canonicalText(b.access);
}

/** Writes a transition. If another worker took the order meanwhile, the service's reply is recorded as a late one. */
async function writeTransition(
  mode: Mode,
  known: ClaimedOrder,
  { transition, sent }: { transition: Transition; sent?: { step: Step; answer: Answer } },
): Promise<ActionResult> {
  const { deps, signal } = mode;
  const { claim } = known;
  // A trial may end meanwhile, and what it left out is decided again then, but not what is left out afterwards.
  const isLeftOut = sent === undefined && known.connection.trialSince !== null && transition.write.state === 'ignored';
  const also = { ...(sent === undefined ? {} : { sent: sent.step }), ...(isLeftOut ? { onTrialOf: claim.connectionId } : {}) };
  const attempt = () => deps.ledger.write({ claim, write: transition.write, ...also });
  const written = await (sent === undefined ? attempt() : retryWrite(attempt, signal));
  if (written.isOver) return { known: { claim, connection: await deps.connection(claim.connectionId, { fresh: true }) }, end: null };
  const end = transition.end === null ? null : soonest(transition.end, written, deps.now());
  if (written.owned) {
    const after = { ...known, claim: transition.claim };
    return end !== null && transition.write.keep === true ? restUnlessChanged(mode, after, end) : { known: after, end };
  }
  if (sent === undefined) return { known, end: end ?? leaseLost };
  const { step, answer } = sent;
  await retryWrite(() => deps.ledger.recordLateReply({ orderId: claim.id, step, end: answer.end, recorded: answer.recorded }), signal);
  return { known, end: leaseLostWhileAnswering };
}

const PAUSES = { minTimeout: 100, factor: 2, maxTimeout: 2_000, retries: Number.POSITIVE_INFINITY, maxRetryTime: 60_000 };

/**
 * Writes a result that must not be lost: retried while the database is down, for a minute at most, or until the process must stop.
 * A reply that is not written is a create of unknown outcome.
 */
export function retryWrite<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return retry(write, { ...PAUSES, shouldRetry: () => signal?.aborted !== true });
}
