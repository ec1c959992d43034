import { answerOf } from '../order/answer.ts';
import type { Claim } from '../order/claim.ts';
import { conclude } from '../order/conclude.ts';
import type { Send } from '../order/next-move.ts';
import type { Step } from '../order/step.ts';
import { notSent } from '../order/turn.ts';
import { vatDiffers } from '../order/vat-difference.ts';
import { leaseLost } from '../order/visit-end.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import { decideMove } from './decide-move.ts';
import { passOn } from './pass-on.ts';
import type { Called } from './pauses.ts';
import { persistently } from './persistently.ts';
import { termsOf } from './terms-of.ts';
import type { Begun, Known, Mode, Moved, VisitDeps } from './visit-mode.ts';
import { whyInsecure } from './why-insecure.ts';
import { writeTurn } from './write-turn.ts';

/** Journals a step, sends it, and writes its result. */
export async function sendStep(mode: Mode, known: Known, move: Send): Promise<Moved> {
  const { step } = move;
  const { deps, probe } = mode;
  const { claim, connection } = known;
  const waits = await whyNot(deps, { known, move, probe });
  if (waits !== null) return writeTurn(mode, known, { turn: notSent(claim, step, { why: waits.why, now: deps.now() }) });
  // A look-up that may fail comes before the journal says that the step is under way.
  const mayResend = await deps.compliance.honoursIdempotency(step.destinationId);
  if (!(await deps.ledger.begin({ claim, step }))) return { known, end: leaseLost };
  return sendBegun(mode, known, { move, connection, mayResend });
}

/** Sends a step that is journaled, and writes its result. */
export async function sendBegun(mode: Mode, known: Known, { move, connection, mayResend }: Begun): Promise<Moved> {
  const { step, wanted } = move;
  const { deps, storefront, onSent, onLast, signal } = mode;
  const { claim } = known;
  const customer = claim.facts.customer.kind === 'known' ? claim.facts.customer.customer : null;
  onSent?.();
  const began = deps.now();
  const answer = answerOf(step, await deps.compliance.send(step, { shopId: claim.key.shopId, customer }, signal));
  deps.onStep({ kind: step.kind, outcome: answer.outcome, ms: deps.now() - began });
  await passOn(deps.pauses, calledFor(claim, step), { orderId: claim.id, answer });
  const standsFor = answer.outcome === 'conflict' ? await persistently(() => deps.ledger.standsFor(claim, answer.end.complianceId), signal) : null;
  const workedAt = deps.compliance.workedAt(step.destinationId);
  const sent = { claim, terms: termsOf(connection, storefront), wanted, mayResend, workedAt, standsFor, now: deps.now(), random: deps.random() };
  const turn = conclude(sent, step, answer);
  if (turn.end !== null) onLast?.();
  const made = turn.write.standing?.record;
  if (made !== undefined && vatDiffers(made, claim.facts.snapshot)) deps.onVatDifference();
  return writeTurn(mode, known, { turn, sent: { step, answer } });
}

/** The first step towards what should be recorded, if that is what comes next and it may be sent now: it can be journaled with the claim. */
export async function firstStep(deps: VisitDeps, claim: Claim): Promise<Begun | null> {
  const connection = await deps.connection(claim.connectionId);
  const known = { claim, connection };
  const move = await decideMove({ deps, storefront: storefrontOf(deps.storefronts, claim.key.platform) }, known);
  if (move.do !== 'send' || !(await mayCall(deps, known, move))) return null;
  return { move, connection, mayResend: await deps.compliance.honoursIdempotency(move.step.destinationId) };
}

/** Whether nothing that was seen lately is in the way. Why something is, the visit finds out, and says. */
async function mayCall({ pauses, compliance }: VisitDeps, { claim, connection }: Known, { step }: Send): Promise<boolean> {
  if (connection.destinationId !== step.destinationId) return false;
  return (await pauses.paused(calledFor(claim, step))) === null && (await compliance.whyInsecure(step.destinationId)) === null;
}

function calledFor({ key }: Claim, step: Step): Called {
  return { destinationId: step.destinationId, shopId: key.shopId, lane: step.kind === 'receipt' ? 'receipts' : 'records' };
}

type Intended = { known: Known; move: Send; probe: boolean };

/** Why a step must wait. A delete whose replacement is made elsewhere waits for both places, so that not nothing is recorded meanwhile. */
async function whyNot(deps: VisitDeps, { known: { claim, connection }, move, probe }: Intended): Promise<{ why: string } | null> {
  const called = calledFor(claim, move.step);
  const paused = probe ? null : await deps.pauses.paused(called);
  const { destinationId } = connection;
  const isMoved = move.step.kind === 'delete' && move.wanted?.kind === 'record' && destinationId !== called.destinationId;
  const elsewhere = isMoved ? { ...called, destinationId } : null;
  const why = paused ?? (elsewhere && (await deps.pauses.paused(elsewhere)));
  return why ?? (await whyInsecure(deps, called)) ?? (elsewhere && whyInsecure(deps, elsewhere));
}
