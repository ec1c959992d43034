import type { Connection } from '../connections/connection.ts';
import { type Answer, answerOf } from '../order/answer.ts';
import { canonicalText } from '../order/canonical-text.ts';
import { type Claim, isBehind } from '../order/claim.ts';
import { conclude } from '../order/conclude.ts';
import { type Fetch, type Move, nextMove, type Send, type Situation, type Stop } from '../order/next-move.ts';
import type { OrderKey } from '../order/order-key.ts';
import type { StepKind } from '../order/outcome.ts';
import type { Step } from '../order/step.ts';
import { sameTerms, type Terms } from '../order/terms.ts';
import { goesOnWithout, waitedTooLong } from '../order/to-fetch.ts';
import { handedOver, notSent, reopened, retryLater, type Turn, turnOf, waitForStore } from '../order/turn.ts';
import { vatDiffers } from '../order/vat-difference.ts';
import { leasedUntil, leaseLost, leaseLostWhileAnswering, soonest, type VisitEnd } from '../order/visit-end.ts';
import type { Storefront, Storefronts } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import type { ComplianceGateway } from './compliance-gateway.ts';
import { passOn } from './pass-on.ts';
import type { Called, Pauses } from './pauses.ts';
import { persistently } from './persistently.ts';
import { type NotRead, type ReadStoreDeps, readStore } from './read-store.ts';
import type { VisitLedger } from './visit-ports.ts';
import { whyInsecure } from './why-insecure.ts';

export type VisitDeps = ReadStoreDeps & {
  ledger: VisitLedger;
  /** The order's connection, closed or not: accepted orders are still submitted. `fresh`: not from the cache. */
  connection(id: string, options?: { fresh: true }): Promise<Connection>;
  compliance: ComplianceGateway;
  pauses: Pauses;
  storefronts: Storefronts;
  /** [0, 1) */
  random(): number;
  /** A record whose VAT, as the service derives it, differs from the storefront's. */
  onVatDifference(): void;
  /** One call per step that was sent. */
  onStep(step: { kind: StepKind; outcome: string; ms: number }): void;
};

/** A visit's end, and which order it was about; unknown if the order could not be claimed. */
export type Visited = (VisitEnd | { kind: 'missing' }) & { order?: { key: OrderKey; connectionId: string } };

export type VisitInput = {
  orderId: number;
  /** A probe calls a paused destination. */
  probe?: boolean;
  /** The store may be called until this aborts. Absent: a visit that needs it ends with `fetch`. */
  fetches?: AbortSignal;
  /** Called when a step is about to be sent. */
  onSent?: () => void;
};

/** More moves than any order needs: a visit that does not end is a bug, and must not hammer the service. */
const MOST_MOVES = 8;

/** How this visit is made. */
type Mode = Pick<VisitInput, 'fetches' | 'onSent'> & { deps: VisitDeps; storefront: Storefront; probe: boolean; signal: AbortSignal | undefined };
/** The order as this visit knows it, and what became of the query of its store. */
type Known = { claim: Claim; connection: Connection } & Pick<Situation, 'queried'>;
/** The order after a move, and how the visit ends with that; null: it goes on. */
type Moved = { known: Known; end: VisitEnd | null };

/**
 * One visit to an order: makes the compliance service agree with its facts. Safe to call at any time, any number of times, from anywhere.
 * Decisions are made in `order`, and carried out here.
 */
export async function visitOrder(deps: VisitDeps, { orderId, probe = false, ...input }: VisitInput, signal?: AbortSignal): Promise<Visited> {
  const claim = await deps.ledger.claim(orderId);
  if ('kind' in claim) return claim.kind === 'missing' ? claim : leasedUntil(claim.untilMs, deps.now());
  try {
    const connection = await deps.connection(claim.connectionId);
    const storefront = storefrontOf(deps.storefronts, claim.key.platform);
    const end = await moveUntilEnd({ deps, storefront, probe, ...input, signal }, { claim, connection });
    return { ...end, order: { key: claim.key, connectionId: claim.connectionId } };
  } catch (thrown) {
    await deps.ledger.release(claim).catch(() => undefined);
    throw thrown;
  }
}

async function moveUntilEnd(mode: Mode, start: Known): Promise<VisitEnd> {
  let known = start;
  let moves = 0;
  while (moves < MOST_MOVES) {
    const move = await decide(mode, known);
    const moved = await act(mode, known, move);
    if (moved.end !== null) return moved.end;
    known = moved.known;
    moves += move.do === 'fetch' ? 0 : 1;
  }
  throw new Error(`order ${start.claim.id} did not come to rest in ${MOST_MOVES} steps`);
}

async function decide({ deps, storefront }: Mode, { claim, connection, queried }: Known): Promise<Move> {
  const { openStep } = claim;
  const canResend = openStep?.kind === 'create' && isBehind(claim);
  return nextMove({
    claim,
    ...(queried === undefined ? {} : { queried }),
    terms: termsOf(connection, storefront),
    mayFetch: queried === undefined && connection.access !== null && storefront.api !== undefined,
    mayResend: canResend && (await deps.compliance.honoursIdempotency(openStep.destinationId)),
    now: deps.now(),
  });
}

/** What decisions about the orders of a connection depend on. */
export function termsOf(
  { destinationId, recordFrom, trialSince, gaps, settings }: Connection,
  { gateways, transactionComesLater, refundsVanish }: Storefront,
): Terms {
  const terms = { destinationId, recordFrom, onTrial: trialSince !== null, gaps, settings };
  return { ...terms, gateways, transactionComesLater, refundsVanish: refundsVanish === true };
}

async function act(mode: Mode, known: Known, move: Move): Promise<Moved> {
  switch (move.do) {
    case 'leave':
      await mode.deps.ledger.release(known.claim);
      return { known, end: { kind: 'rest', state: known.claim.state, detail: 'nothing new', recordedMs: null } };
    case 'fetch':
      return fetchMissing(mode, known, move);
    case 'send':
      return send(mode, known, move);
    case 'ask':
      return ask(mode, known, move);
    case 'rest':
    case 'wait':
    case 'confirm':
      return write(mode, known, { turn: turnOf(move, known.claim, mode.deps.now()) });
  }
}

async function fetchMissing(mode: Mode, known: Known, { missing }: Fetch): Promise<Moved> {
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
      return write(mode, known, { turn: handedOver(claim, { host: read.host, now: deps.now(), random: deps.random() }) });
    case 'full':
      await deps.ledger.release(claim);
      return { known, end: { kind: 'fetch', host: read.host } };
    case 'not-read':
      return notFetched(mode, known, { missing, read });
  }
}

/** It is retried for hours, then a person is asked. */
async function notFetched(mode: Mode, known: Known, { missing, read }: Pick<Fetch, 'missing'> & { read: NotRead }): Promise<Moved> {
  const { deps, storefront } = mode;
  const { claim, connection } = known;
  const { code, detail, until, isSure } = read;
  const now = deps.now();
  if (goesOnWithout(claim, termsOf(connection, storefront), missing)) return { known: { ...known, queried: 'unanswered' }, end: null };
  if (isSure && waitedTooLong(claim, now)) return { known: { ...known, queried: { code, detail } }, end: null };
  const later = { why: `${code}: ${detail}`, now, random: deps.random() };
  return write(mode, known, { turn: until === null ? retryLater(claim, later) : waitForStore(claim, { ...later, until }) });
}

/** Journals a step, sends it, and writes its result. */
async function send(mode: Mode, known: Known, move: Send): Promise<Moved> {
  const { step, wanted } = move;
  const { deps, storefront, onSent, signal } = mode;
  const { claim, connection } = known;
  const called: Called = { destinationId: step.destinationId, shopId: claim.key.shopId, lane: step.kind === 'receipt' ? 'receipts' : 'records' };
  const paused = await whyNot(mode, known, { move, called });
  if (paused !== null) return write(mode, known, { turn: notSent(claim, step, { why: paused.why, now: deps.now() }) });
  // A look-up that may fail comes before the journal says that the step is under way.
  const mayResend = await deps.compliance.honoursIdempotency(step.destinationId);
  if (!(await deps.ledger.begin({ claim, step }))) return { known, end: leaseLost };
  const customer = claim.facts.customer.kind === 'known' ? claim.facts.customer.customer : null;
  onSent?.();
  const began = deps.now();
  const answer = answerOf(step, await deps.compliance.send(step, { shopId: claim.key.shopId, customer }, signal));
  deps.onStep({ kind: step.kind, outcome: answer.outcome, ms: deps.now() - began });
  await passOn(deps.pauses, called, { orderId: claim.id, answer });
  const standsFor = answer.outcome === 'conflict' ? await persistently(() => deps.ledger.standsFor(claim, answer.end.complianceId), signal) : null;
  const workedAt = deps.compliance.workedAt(step.destinationId);
  const sent = { claim, terms: termsOf(connection, storefront), wanted, mayResend, workedAt, standsFor, now: deps.now(), random: deps.random() };
  const turn = conclude(sent, step, answer);
  const made = turn.write.standing?.record;
  if (made !== undefined && vatDiffers(made, claim.facts.snapshot)) deps.onVatDifference();
  return write(mode, known, { turn, sent: { step, answer } });
}

/** Why a step must wait. A delete whose replacement is made elsewhere waits for both places, so that not nothing is recorded meanwhile. */
async function whyNot({ deps, probe }: Mode, { connection }: Known, { move, called }: { move: Send; called: Called }): Promise<{ why: string } | null> {
  const paused = probe ? null : await deps.pauses.paused(called);
  const { destinationId } = connection;
  const isMoved = move.step.kind === 'delete' && move.wanted?.kind === 'record' && destinationId !== called.destinationId;
  const elsewhere = isMoved ? { ...called, destinationId } : null;
  const why = paused ?? (elsewhere && (await deps.pauses.paused(elsewhere)));
  return why ?? (await whyInsecure(deps, called)) ?? (elsewhere && whyInsecure(deps, elsewhere));
}

/** Writes a turn. If another worker took the order meanwhile, the service's reply is recorded as a late one. */
async function write({ deps, signal }: Mode, known: Known, { turn, sent }: { turn: Turn; sent?: { step: Step; answer: Answer } }): Promise<Moved> {
  const { claim } = known;
  // A trial may end meanwhile, and what it left out is decided again then, but not what is left out afterwards.
  const isLeftOut = sent === undefined && known.connection.trialSince !== null && turn.write.state === 'ignored';
  const also = { ...(sent === undefined ? {} : { sent: sent.step }), ...(isLeftOut ? { onTrialOf: claim.connectionId } : {}) };
  const attempt = () => deps.ledger.write({ claim, write: turn.write, ...also });
  const written = await (sent === undefined ? attempt() : persistently(attempt, signal));
  if (written.isOver) return { known: { claim, connection: await deps.connection(claim.connectionId, { fresh: true }) }, end: null };
  const end = turn.end === null ? null : soonest(turn.end, written, deps.now());
  if (written.owned) return { known: { ...known, claim: turn.claim }, end };
  if (sent === undefined) return { known, end: end ?? leaseLost };
  const { step, answer } = sent;
  await persistently(() => deps.ledger.recordLateReply({ orderId: claim.id, step, end: answer.end, recorded: answer.recorded }), signal);
  return { known, end: leaseLostWhileAnswering };
}

/**
 * A person is asked; unless the settings or the access to the store were changed a moment ago, and this visit did not know it yet. Looked at before, so that
 * nobody sees a question that is none; and after, since whoever changed them meanwhile found no question to decide again.
 */
async function ask(mode: Mode, known: Known, move: Extract<Stop, { do: 'ask' }>): Promise<Moved> {
  const { deps } = mode;
  const { claim } = known;
  const before = await changed(mode, known);
  if (before !== null) return { known: { claim, connection: before }, end: null };
  const turn = turnOf(move, claim, deps.now());
  const { owned } = await deps.ledger.write({ claim, write: turn.write });
  if (!owned) return { known, end: leaseLost };
  const after = await changed(mode, known);
  if (after !== null) return write(mode, { claim, connection: after }, { turn: reopened(claim) });
  await deps.ledger.release(claim);
  return { known, end: turn.end };
}

/** The connection as it is now, if decisions depend on what differs; null: nothing does. */
async function changed({ deps, storefront }: Mode, { connection }: Known): Promise<Connection | null> {
  const now = await deps.connection(connection.id, { fresh: true });
  const isSame = sameTerms(termsOf(now, storefront), termsOf(connection, storefront)) && sameAccess(now, connection);
  return isSame ? null : now;
}

function sameAccess(a: Connection, b: Connection): boolean {
  return canonicalText(a.access) === canonicalText(b.access);
}
