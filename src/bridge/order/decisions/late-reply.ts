import type { UncertainRecord } from './claim.ts';
import { type CreatedRecord, madeBy, uncertainBy } from './conclude.ts';
import type { OrderState } from './order-state.ts';
import type { CreateStep, DeleteStep, OpenStep, Step, StepEnd } from './step.ts';

/** The result of a step, if the lease was lost before it was written. */
export type LateReply = { step: Step; end: StepEnd; recorded: 'yes' | 'no' | 'unknown' };

/** The order as it is by then. `isKnown`: the journal has the record that the reply names, or its delete. `isRepeated`: the step was sent again, and that may be recorded. */
export type LateOrder = { complianceId: string | null; openStep: Pick<OpenStep, 'seq'> | null; isKnown: boolean; isRepeated: boolean };

/** What a late reply changes of its order. */
export type LateNews =
  | { is: 'nothing' }
  /** Its create made no record, and is over. */
  | { is: 'not-recorded' }
  | ({ is: 'recorded' } & CreatedRecord)
  /** It is recorded twice: a person must delete one. */
  | { is: 'doubled'; detail: string }
  /** The current record is deleted; `uncertain` if a 404 says so. */
  | { is: 'deleted'; uncertain: UncertainRecord | null };

const nothing: LateNews = { is: 'nothing' };

/** The service's reply is true, even if another worker has the order by now. `now` in ms since 1970. */
export function lateNews(order: LateOrder, { step, end, recorded }: LateReply, now: number): LateNews {
  // A receipt whose reply came too late is requested again.
  if (recorded === 'unknown' || step.kind === 'receipt') return nothing;
  if (step.kind === 'delete') return lateDelete(order, step, end);
  if (recorded === 'no') return order.openStep?.seq === step.seq && !order.isRepeated ? { is: 'not-recorded' } : nothing;
  const isKnown = end.complianceId === order.complianceId || order.isKnown;
  return end.complianceId === null || isKnown ? nothing : lateCreate(order, step, madeBy(step, end.complianceId, now));
}

function lateCreate({ complianceId, openStep }: LateOrder, step: CreateStep, made: CreatedRecord): LateNews {
  if (complianceId === null && (openStep === null || openStep.seq === step.seq)) return { is: 'recorded', ...made };
  const beside = complianceId ?? 'the one being sent';
  return { is: 'doubled', detail: `recorded once more as ${made.current.complianceId}, which was found only now; it must not exist beside ${beside}` };
}

function lateDelete({ complianceId }: LateOrder, step: DeleteStep, { outcome }: StepEnd): LateNews {
  const isDone = outcome === 'deleted' || outcome === 'gone';
  return isDone && complianceId === step.complianceId ? { is: 'deleted', uncertain: uncertainBy(step, outcome) } : nothing;
}

/** An order whose create or delete has no known outcome, as a person finds it. `isLeased`: a worker has it. */
type Unconfirmed = { state: OrderState; isLeased: boolean; openStep: OpenStep | null };

/** The step whose outcome a person may report; null: there is none, or a worker is still working on it. */
export function stepInDoubt({ state, isLeased, openStep }: Unconfirmed): OpenStep | null {
  return state === 'unconfirmed' && !isLeased ? openStep : null;
}
