import { z } from 'zod';
import { taxRecord } from '../../contract/record.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { invalidBody, notFound } from '../http/http-problem.ts';
import type { Caller } from '../keys/api-keys.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { EURO_FROM, termAt } from '../term.ts';
import { RECORD_OF_ORDER } from './order-dto.ts';
import { dayErrors } from './order-rules.ts';
import type { OrdersDeps } from './orders.ts';

/** `at`: ISO instant with an offset. */
type DeliverRequest = { caller: Pick<Caller, 'keyId'>; id: string; at: string };

const records = rowsOf('compliance.orders', z.object({ record: taxRecord }));
const deliveredRow = rowsOf('compliance.orders', z.object({ known: z.boolean() }));

const RECORD = `
  select ${RECORD_OF_ORDER} as record
  from compliance.orders o join compliance.shops s on s.id = o.shop_id where o.id = $1 and s.api_key_id = $2`;

const DELIVER = 'select compliance.deliver_order($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as known';

/**
 * Says when an order was delivered; the file of that month lists it, if the month in which it is listed is open. Safe to repeat. Returns the month of
 * the delivery ("2026-10"); that of the order's day if that is later. Throws a `HttpProblem`: invalid body, or the caller has no such order (any more).
 */
export async function deliverOrder({ pool, now, currency, accounting }: OrdersDeps, { caller, id, at }: DeliverRequest): Promise<string> {
  const called = now();
  const { today, firstOpen } = termAt(called);
  const on = sofiaDay(at);
  const errors = dayErrors('at', on, today);
  if (errors.length > 0) throw invalidBody(errors);
  const row = await readRow(pool, records, { text: RECORD, values: [id, caller.keyId] });
  if (row === null) throw notFound('order');
  const day = sofiaDay(row.record.internalCreatedAt);
  const accounts = await accounting(row.record, day);
  const values = [id, caller.keyId, at, on, `${monthOf(day)}-01`, JSON.stringify(accounts), called, today, firstOpen, currency, EURO_FROM];
  const { known } = await readOne(pool, deliveredRow, { text: DELIVER, values });
  if (!known) throw notFound('order');
  return monthOf(on > day ? on : day);
}
