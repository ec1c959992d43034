import { type AttemptEnd, leasedUntil, leaseLost } from '../order/attempt-end.ts';
import type { Claim } from '../order/claim.ts';
import type { Action, Fetch } from '../order/next-action.ts';
import type { OrderKey } from '../order/order-key.ts';
import { goesOnWithout, waitedTooLong } from '../order/to-fetch.ts';
import { handedOver, retryLater, transitionOf, waitForStore } from '../order/transition.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import type { ActionResult, AttemptDeps, AttemptOptions, Begun, Known, Mode } from './attempt-mode.ts';
import { decideAction } from './decide-action.ts';
import { type NotRead, readStore } from './read-store.ts';
import { confirmStep, sendBegun, sendStep } from './send-step.ts';
import { termsOf } from './terms-of.ts';
import { askPerson, writeTransition } from './write-transition.ts';

/** A visit's end, and which order it was about; unknown if the order could not be claimed. */
export type Processed = (AttemptEnd | { kind: 'missing' }) & { order?: { key: OrderKey; connectionId: string } };

export type ProcessInput = AttemptOptions & { orderId: number };

/** An order that is claimed. `begun`: its first step is journaled, and not sent. */
export type Claimed = { claim: Claim; begun: Begun | null };

/** How an attempt rests that had nothing to do. */
export const NOTHING_NEW = 'nothing new';

/** The store call queue processes an order that waits for its store; if it has no room for it, it is processed again after so long. */
const FETCHED_BY_MS = 20_000;

/** What is left alone, such as a receipt that is due while a step is open, is looked at again after so long; news make it due at once. */
const LEFT_MS = 10 * 60_000;

/** More actions than any order needs: an attempt that does not end is a bug, and must not hammer the service. */
const MOST_ACTIONS = 8;

/**
 * One attempt at an order: makes the compliance service agree with its facts. Safe to call at any time, any number of times, from anywhere.
 * Decisions are made in `order`, and carried out here.
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

async function actUntilEnd(mode: Mode, start: Known): Promise<AttemptEnd> {
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

async function act(mode: Mode, known: Known, action: Action): Promise<ActionResult> {
  switch (action.do) {
    case 'leave':
      await mode.deps.ledger.release(known.claim, LEFT_MS);
      return { known, end: { kind: 'rest', state: known.claim.state, detail: NOTHING_NEW, recordedMs: null } };
    case 'fetch':
      return fetchMissing(mode, known, action);
    case 'send':
      return sendStep(mode, known, action);
    case 'ask':
      return askPerson(mode, known, action);
    case 'confirm':
      return confirmStep(mode, known, action.step);
    case 'rest':
    case 'wait':
      return writeTransition(mode, known, { transition: transitionOf(action, known.claim, mode.deps.now()) });
  }
}

async function fetchMissing(mode: Mode, known: Known, { missing }: Fetch): Promise<ActionResult> {
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
async function notFetched(mode: Mode, known: Known, { missing, read }: Pick<Fetch, 'missing'> & { read: NotRead }): Promise<ActionResult> {
  const { deps, storefront } = mode;
  const { claim, connection } = known;
  const { code, detail, until, isSure } = read;
  const now = deps.now();
  if (goesOnWithout(claim, termsOf(connection, storefront), missing)) return { known: { ...known, queried: 'unanswered' }, end: null };
  if (isSure && waitedTooLong(claim, now)) return { known: { ...known, queried: { code, detail } }, end: null };
  const later = { why: `${code}: ${detail}`, now, random: deps.random() };
  return writeTransition(mode, known, { transition: until === null ? retryLater(claim, later) : waitForStore(claim, { ...later, until }) });
}
