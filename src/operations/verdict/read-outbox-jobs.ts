import { type UndoneOutboxJobs, undoneOutboxJobs } from '../../bridge/ledger/outbox-job-store.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/** Buyers that were erased here and that a compliance service still has, and deliveries that it was not told of. */
export const outboxJobReader: Reader = {
  codes: ['privacy.not-forgotten', 'deliveries.not-reported'],
  read: async ({ pool }) => (await undoneOutboxJobs(pool)).map((undone) => (undone.kind === 'forget-buyer' ? notForgotten(undone) : notTold(undone))),
};

function notForgotten({ problem, destinationId: subject, count, since, records, detail }: UndoneOutboxJobs): Reason {
  const whose = `the ${count === 1 ? 'buyer of 1 order was' : `buyers of ${count} orders were`} erased here, and the compliance service`;
  const which = `${records.join(', ')}${count > records.length ? ' and others' : ''}`;
  const why =
    problem === 'failed'
      ? failed(detail)
      : `can’t be told by a program (COMPLIANCE_FORGETS_BUYERS): ask its operator to forget the buyers of its orders ${which}`;
  return reasonOf('privacy.not-forgotten', { subject, count, since, words: `${whose} ${why}` });
}

function notTold({ problem, destinationId: subject, count, since, detail }: UndoneOutboxJobs): Reason {
  const which = `${count} ${count === 1 ? 'order was' : 'orders were'} delivered, and the compliance service`;
  const why = problem === 'failed' ? failed(detail) : 'takes no deliveries (COMPLIANCE_DELIVERED): set `monthBy` to `order`';
  return reasonOf('deliveries.not-reported', { subject, count, since, words: `${which} ${why}` });
}

function failed(detail: string | null): string {
  return `could not be told since (${detail ?? 'no answer'}); it is tried again by itself`;
}
