import type { Begun } from '../delivery/attempt-mode.ts';
import type { Claimed } from '../delivery/process-order.ts';
import type { FirstAttemptOptions, OrderDelivery } from '../delivery/record-deliveries.ts';
import type { Claim } from '../order/claim.ts';
import type { OrderFold } from './fold-deliveries.ts';
import { asStored } from './json-text.ts';
import { withoutRecord } from './open-step.ts';
import type { OrderGroup } from './order-groups.ts';

/** One order of a group. `orderId`: its id in the ledger. */
export type FoldOf = OrderFold & { group: OrderGroup; orderId: string };

/** When the order is to be processed, ms since 1970; 0: it need not be. */
export function dueAt({ deliveries, fold }: Pick<FoldOf, 'deliveries' | 'fold'>): number {
  const settleMs = Math.min(...deliveries.map(({ settleSeconds }) => settleSeconds)) * 1000;
  return fold.dirtySince === null ? 0 : Date.parse(fold.dirtySince) + settleMs;
}

/** New orders that are claimed as they are made, with the first steps of their attempts. */
export type FirstSteps = ReadonlyMap<FoldOf, { claim: Claim; begun: Begun }>;

/** Plans the first steps of new orders that are due at once, as many as may be processed now; the others wait in the ledger. */
export async function firstSteps(folds: readonly FoldOf[], firstAttempts: FirstAttemptOptions | null): Promise<FirstSteps> {
  if (firstAttempts === null) return new Map();
  const { size, notOf, plan, now } = firstAttempts;
  const due = folds.filter((fold) => isNew(fold) && dueAt(fold) <= now && !notOf.includes(connectionOf(fold))).slice(0, size);
  const planned = await Promise.all(
    due.map(async (fold) => {
      const claim = newClaim(fold);
      const begun = await plan(claim);
      return begun === null ? [] : [[fold, { claim, begun }] as const];
    }),
  );
  return new Map(planned.flat());
}

/** The columns of an order and of its first step, as its insert reads them. */
export function stepOfNew(first: { claim: Claim; begun: Begun } | undefined) {
  const step = first?.begun.action.step;
  if (step === undefined || step.kind !== 'create') return { step: null };
  const { seq, kind, destinationId, record, idempotencyKey } = step;
  return { step: withoutRecord(step), step_seq: seq, kind, destination: destinationId, record, key: idempotencyKey };
}

/** The claim of an order that was made with its first step. */
export function claimedOf({ claim, begun }: { claim: Claim; begun: Begun }, { id, isErased }: { id: number; isErased: boolean }): Claimed {
  return { claim: { ...claim, id, facts: isErased ? { ...claim.facts, customer: { kind: 'erased' } } : claim.facts }, begun };
}

/** Of the platform's own id, and not that of another order, about which a person is asked first. */
function isNew({ known, first, orderId, group, fold }: FoldOf): boolean {
  return known === undefined && first === null && orderId === group.key.orderId && fold.dirtySince !== null;
}

function connectionOf({ deliveries }: FoldOf): string {
  return (deliveries.at(-1) as OrderDelivery).delivery.connectionId;
}

function newClaim(of: FoldOf): Claim {
  const { group, orderId, deliveries, fold } = of;
  return {
    ...{ id: 0, key: { ...group.key, orderId }, platformId: group.key.orderId, connectionId: connectionOf(of), fence: 1 },
    // What is sent is what the ledger keeps: whoever repeats this step reads it there.
    facts: asStored(fold.facts),
    ...{ revision: fold.revision, recordedRevision: 0, askedRevision: 0, state: 'queued' },
    backfilled: deliveries.some(({ delivery }) => delivery.takenIn === true),
    ...{ mapping: null, standing: null, receipt: null, previous: null, doubted: null, review: null, settled: null, openStep: null },
    ...{ stepSeq: 0, attempts: 0, dirtySince: fold.dirtySince },
  };
}
