import { z } from 'zod';
import { customer } from '../../../contract/record.ts';
import { type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken, type SealedPlace, type Sealer, unlessBroken } from '../../../platform/seal.ts';
import type { BegunWith } from '../../delivery/attempt-ports.ts';
import { canonicalText } from '../../order/facts/canonical-text.ts';
import { type CustomerFact, knownBuyer } from '../../order/facts/facts.ts';
import { buyerColumn, openBuyer, sealedBuyer } from '../buyers.ts';

/** An order's buyer, before and after what is being written; its row is locked. */
export type BuyerChange = { id: number; before: CustomerFact; after: CustomerFact };

/** SQL: a create is open, and its buyer is not kept yet. */
const SENT = `o.open_step ->> 'kind' = 'create' and not o.open_step ? 'buyer'`;

/**
 * Keeps the buyers that open creates of these orders were sent with, each sealed for its order: a repeat under their keys must have the same bytes. Of
 * what is erased nothing is kept, and the create is not repeated.
 */
export async function keepSentBuyers(tx: Queryable, changes: readonly BuyerChange[]): Promise<void> {
  const erased = changes.flatMap(({ id, after }) => (after.kind === 'erased' ? [id] : []));
  if (erased.length > 0) await tx.query(markErased('select unnest($1::bigint[])'), [erased]);
  const kept = changes.flatMap(({ id, before, after }) => {
    return after.kind === 'erased' || canonicalText(knownBuyer(before)) === canonicalText(knownBuyer(after)) ? [] : [{ id, step: stepWith(tx, id, before) }];
  });
  if (kept.length === 0) return;
  await tx.query(
    `update orders o set open_step = o.open_step || x.step from jsonb_to_recordset($1) as x(id bigint, step jsonb) where o.id = x.id and ${SENT}`,
    [JSON.stringify(kept)],
  );
}

/** An order has another buyer from now on, unless they are erased. */
export async function writeBuyer(tx: Queryable, change: BuyerChange): Promise<void> {
  const { id, after } = change;
  if (after.kind === 'none' || after.kind === 'unopened') return;
  await keepSentBuyers(tx, [change]);
  await tx.query(
    `insert into customers (order_ref, data, erased_at) values ($1, decode($2, 'base64'), case when $2::text is null then now() end)
     on conflict (order_ref) do update set data = excluded.data, erased_at = excluded.erased_at where customers.erased_at is null`,
    [id, after.kind === 'known' ? sealedBuyer(tx, id, after.customer) : null],
  );
}

const ERASED = { buyer: 'erased' };

/** SQL that marks the open creates of these orders, whose buyers are being erased; `orders` gives the ids. The rows of the orders are locked. */
export const markErased = (orders: string): string => `update orders o set open_step = o.open_step - 'sentWith' || '${JSON.stringify(ERASED)}'
  where o.id in (${orders}) and (o.open_step ->> 'buyer' = 'kept'
    or (${SENT} and exists (select from customers c where c.order_ref = o.id and c.data is not null)))`;

function stepWith(tx: Queryable, id: number, before: CustomerFact): object {
  // Who does not open is not known any more, as if they were erased.
  if (before.kind === 'unopened') return ERASED;
  const sent = knownBuyer(before);
  return sent === null ? { buyer: 'none' } : { buyer: 'kept', sentWith: sealerOf(tx).seal(JSON.stringify(sent), placeOf(id)) };
}

function placeOf(id: number): SealedPlace {
  return { table: 'bridge.orders', column: 'open_step', id: String(id) };
}

const begunRow = z.object({
  id: z.int(),
  buyer: z.enum(['none', 'kept', 'erased']).nullable(),
  sentWith: z.string().nullable(),
  customer: buyerColumn,
  erased: z.boolean(),
});
const begunRows = rowsOf('orders', begunRow);

/**
 * The buyers that journaled creates of these orders are sent with. Read after they were journaled: from then on anyone who changes a buyer keeps the former one,
 * so that it does not matter when. unopened: that may be known later, or in another process, so that nothing is sent now.
 */
export async function buyersOf(db: Queryable, ids: readonly number[]): Promise<Map<number, BegunWith | 'unopened'>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(db, begunRows, {
    name: 'buyers-of-begun',
    text: `select o.id, o.open_step ->> 'buyer' as buyer, o.open_step ->> 'sentWith' as "sentWith", c.data as customer, c.erased_at is not null as erased
      from (select value::bigint as id from json_array_elements_text($1::json)) given join orders o using (id) left join customers c on c.order_ref = o.id`,
    values: [JSON.stringify(ids)],
  });
  const sealer = sealerOf(db);
  return new Map(rows.map((row) => [row.id, begunOrLater(sealer, row)]));
}

function begunOrLater(sealer: Sealer, row: z.output<typeof begunRow>): BegunWith | 'unopened' {
  try {
    return begunWith(sealer, row);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return 'unopened';
    throw thrown;
  }
}

const NOT_KNOWN: BegunWith = { customer: { kind: 'none' }, isKnown: false };

function begunWith(sealer: Sealer, { id, buyer, sentWith, customer: sealed, erased }: z.output<typeof begunRow>): BegunWith {
  if (buyer === 'kept' && sentWith !== null) return opened(sealer, id, sentWith);
  if (buyer === 'none') return { customer: { kind: 'none' }, isKnown: true };
  if (erased || sealed === null) return { customer: { kind: erased ? 'erased' : 'none' }, isKnown: buyer === null };
  const now = openBuyer(sealer, id, sealed);
  return now === undefined ? NOT_KNOWN : { customer: { kind: 'known', customer: now }, isKnown: buyer === null };
}

function opened(sealer: Sealer, id: number, sealed: string): BegunWith {
  const sent = unlessBroken(() => sealer.open(sealed, placeOf(id)));
  const { data } = customer.safeParse(JSON.parse(sent ?? 'null'));
  return data === undefined ? NOT_KNOWN : { customer: { kind: 'known', customer: data }, isKnown: true };
}
