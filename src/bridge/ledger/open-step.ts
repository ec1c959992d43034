import type { OpenStep, Step } from '../order/step.ts';

/**
 * SQL of the open step of an order (`order`: the name of its row). The record of a create is only in the journal. Of the buyer that it was
 * sent with it has the kind, never the sealed text.
 */
export const openStepOf = (order: string): string => `case when ${order}.open_step is not null then jsonb_build_object('record',
  (select s.record from steps s where s.order_ref = ${order}.id and s.seq = (${order}.open_step ->> 'seq')::int)) || ${order}.open_step - 'sentWith' end`;

/** SQL of a step as it is written over the one of `order` that is open: with whom that one was sent, only the ledger says. */
export const stepOver = (step: string, order: string): string => `case when ${order}.open_step ->> 'seq' = ${step} ->> 'seq'
  then ${step} || jsonb_strip_nulls(jsonb_build_object('buyer', ${order}.open_step -> 'buyer', 'sentWith', ${order}.open_step -> 'sentWith')) else ${step} end`;

/** A step that was journaled, as its order keeps it: the record is in the journal, and with whom it was sent, the ledger knows better. */
export function withoutRecord(step: OpenStep | Step): Omit<Step, 'record' | 'buyer'> {
  if (step.kind !== 'create') return step;
  const { record: _journaled, buyer: _ofLedger, ...rest } = step;
  return rest;
}
