import type { Connection } from '../connections/connection.ts';
import type { Answer } from '../order/answer.ts';
import { leaseLost, leaseLostWhileAnswering, soonest } from '../order/attempt-end.ts';
import { canonicalText } from '../order/canonical-text.ts';
import type { Stop } from '../order/next-action.ts';
import type { Step } from '../order/step.ts';
import { sameTerms } from '../order/terms.ts';
import { reopened, type Transition, transitionOf } from '../order/transition.ts';
import type { ActionResult, Known, Mode } from './attempt-mode.ts';
import { retryWrite } from './retry-write.ts';
import { termsOf } from './terms-of.ts';

/** Writes a transition. If another worker took the order meanwhile, the service's reply is recorded as a late one. */
export async function writeTransition(
  { deps, signal }: Mode,
  known: Known,
  { transition, sent }: { transition: Transition; sent?: { step: Step; answer: Answer } },
): Promise<ActionResult> {
  const { claim } = known;
  // A trial may end meanwhile, and what it left out is decided again then, but not what is left out afterwards.
  const isLeftOut = sent === undefined && known.connection.trialSince !== null && transition.write.state === 'ignored';
  const also = { ...(sent === undefined ? {} : { sent: sent.step }), ...(isLeftOut ? { onTrialOf: claim.connectionId } : {}) };
  const attempt = () => deps.ledger.write({ claim, write: transition.write, ...also });
  const written = await (sent === undefined ? attempt() : retryWrite(attempt, signal));
  if (written.isOver) return { known: { claim, connection: await deps.connection(claim.connectionId, { fresh: true }) }, end: null };
  const end = transition.end === null ? null : soonest(transition.end, written, deps.now());
  if (written.owned) return { known: { ...known, claim: transition.claim }, end };
  if (sent === undefined) return { known, end: end ?? leaseLost };
  const { step, answer } = sent;
  await retryWrite(() => deps.ledger.recordLateReply({ orderId: claim.id, step, end: answer.end, recorded: answer.recorded }), signal);
  return { known, end: leaseLostWhileAnswering };
}

/**
 * A person is asked; unless the settings or the access to the store were changed a moment ago, and this attempt did not know it yet. Looked at before, so that
 * nobody sees a question that is none; and after, since whoever changed them meanwhile found no question to decide again.
 */
export async function askPerson(mode: Mode, known: Known, action: Extract<Stop, { do: 'ask' }>): Promise<ActionResult> {
  const { deps } = mode;
  const { claim } = known;
  const before = await changed(mode, known);
  if (before !== null) return { known: { claim, connection: before }, end: null };
  const transition = transitionOf(action, claim, deps.now());
  const { owned } = await deps.ledger.write({ claim, write: transition.write });
  if (!owned) return { known, end: leaseLost };
  const after = await changed(mode, known);
  if (after !== null) return writeTransition(mode, { claim, connection: after }, { transition: reopened(claim) });
  await deps.ledger.release(claim);
  return { known, end: transition.end };
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
