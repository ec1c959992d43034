import { containsPersonalData } from '../../bridge/order/facts/failure.ts';
import type { PersonRole } from '../../contract/person-role.ts';
import { counted } from '../../contract/plural.ts';
import type { Activity } from '../activity/list-activity.ts';
import { codeOf } from '../health/checks.ts';
import type { FailedCheck } from '../health/health-status.ts';
import { may } from '../people/rights.ts';
import type { Happened, OrderDetail } from './order-detail.ts';

type Reader = { role: PersonRole };

/** May they read what a service or a store said of an order? Anyone who may see its buyer. */
export function mayReadPersonalData({ role }: Reader): boolean {
  return may(role, 'buyers.see');
}

/** The words of a problem, as far as somebody may read them. */
export function detailFor(reader: Reader, code: string, detail: string | null): string | null {
  return containsPersonalData(code) && !mayReadPersonalData(reader) ? null : detail;
}

/** An order of a list as somebody may read it: of a quoted problem only its code. */
export function orderFor<One extends { review: { code: string; detail: string } | null }>(reader: Reader, order: One): One {
  const { review } = order;
  return review === null ? order : { ...order, review: { ...review, detail: detailFor(reader, review.code, review.detail) ?? '' } };
}

/** A failed check of the health status as somebody may read it: of one that quotes only what its code means, and of which store. */
export function checkFor(reader: Reader, failedCheck: FailedCheck, nameOf: (connectionId: string) => string): FailedCheck {
  if (mayReadPersonalData(reader) || !codeOf(failedCheck.code).quotes) return failedCheck;
  const { code, subject, of, members } = failedCheck;
  const means = codeOf(code).en;
  if (members !== undefined) return { ...failedCheck, words: `${counted.en(of?.names.length ?? 0, 'store', 'stores')}: ${means}` };
  const name = subject === null ? '' : nameOf(subject);
  return { ...failedCheck, words: name === '' || name === subject ? means : `${name}: ${means}` };
}

/** An act as somebody may read it: why an order waits is in the audit log, too. */
export function actFor(reader: Reader, act: Activity): Activity {
  return mayReadPersonalData(reader) ? act : { ...act, before: unquoted(act.before), after: unquoted(act.after) };
}

/** All about an order as somebody may read it: the same without what a service or a store said. */
export function orderDetailFor(reader: Reader, orderDetail: OrderDetail): OrderDetail {
  if (mayReadPersonalData(reader)) return orderDetail;
  const { report, happened } = orderDetail;
  const { receipt, pause } = report;
  const quiet = {
    receipt: receipt?.state === 'refused' ? { ...receipt, detail: '' } : receipt,
    // The status says what a person does.
    pause: pause && { ...pause, detail: /^\d{3}\b/.exec(pause.detail)?.[0] ?? '' },
    refusal: null,
    // Both are in what happened.
    ...{ deliveries: [], submissions: [] },
  };
  return { ...orderDetail, report: { ...orderFor(reader, report), ...quiet }, happened: happened.map((one) => happenedFor(reader, one)) };
}

/** Something that happened to an order as somebody may read it. */
export function happenedFor(reader: Reader, one: Happened): Happened {
  if (mayReadPersonalData(reader)) return one;
  switch (one.is) {
    case 'webhook':
      return { ...one, delivery: { ...one.delivery, detail: detailFor(reader, one.delivery.code ?? '', one.delivery.detail) } };
    case 'request':
      return { ...one, request: { ...one.request, detail: null } };
    case 'outbox-job':
      return { ...one, outboxJob: { ...one.outboxJob, detail: null } };
    case 'act':
      return { ...one, act: actFor(reader, one.act) };
  }
}

function unquoted(of: unknown): unknown {
  if (of === null || typeof of !== 'object' || !('code' in of) || typeof of.code !== 'string' || !containsPersonalData(of.code)) return of;
  return Object.fromEntries(Object.entries(of).filter(([field]) => field !== 'detail'));
}
