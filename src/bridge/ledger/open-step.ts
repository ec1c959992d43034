import type { OpenStep, Step } from '../order/step.ts';

/**
 * SQL of the open step of an order (`order`: the name of its row). The record of a create is in the journal alone; earlier releases kept it in the step, too,
 * and what is there goes before.
 */
export const openStepOf = (order: string): string => `case when ${order}.open_step is not null then jsonb_build_object('record',
  (select s.record from steps s where s.order_ref = ${order}.id and s.seq = (${order}.open_step ->> 'seq')::int)) || ${order}.open_step end`;

/** A step that was journaled, as its order keeps it. */
export function withoutRecord(step: OpenStep | Step): Omit<Step, 'record'> {
  if (step.kind !== 'create') return step;
  const { record: _journaled, ...rest } = step;
  return rest;
}
