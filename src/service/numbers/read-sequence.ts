import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const sequences = rowsOf(
  'compliance.merchants',
  z.object({
    next: z.number().nullable(),
    given: z.array(z.object({ first: z.number(), last: z.number(), voided: z.int() })),
    skipped: z.array(z.object({ first: z.number(), last: z.number(), why: z.string(), who: z.string(), at: z.string() })),
    shops: z.array(z.object({ id: z.string(), name: z.string(), ownerId: z.string(), orders: z.int() })),
    owners: z.array(z.string()),
  }),
);

/**
 * A merchant's sequence of document numbers. `next` null: it has not begun. `given`: the first 200 runs of numbers that documents got, with those of
 * each whose order was deleted (`voided`). `skipped`: numbers that nobody got. `owners`: the first keys of those who may create shops of the merchant.
 */
export type Sequence = z.output<typeof sequences.schema>;

const SEQUENCE = `
  with numbers as (
    select document_number as number, false as voided from compliance.orders where merchant = $1
    union select document_number, false from compliance.filed_sales where merchant = $1
    union select number, true from compliance.voided_numbers where merchant = $1
  ), once as (select number, bool_and(voided) as voided from numbers group by number),
  runs as (
    select min(number) as first, max(number) as last, count(*) filter (where voided)::int as voided
    from (select number, voided, number - row_number() over (order by number) as run from once) n group by run order by 1 limit 200
  )
  select (select next_number::float8 from compliance.merchants where id = $1) as next,
    (select coalesce(json_agg(r order by r.first), '[]') from runs r) as given,
    (select coalesce(json_agg(json_build_object('first', first, 'last', last, 'why', why, 'who', who, 'at', ${isoText('at')}) order by first), '[]')
      from compliance.skipped_numbers where merchant = $1) as skipped,
    (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.details ->> 'name', 'ownerId', s.api_key_id,
        'orders', (select count(*)::int from compliance.orders o where o.shop_id = s.id)) order by s.created_at, s.id), '[]')
      from compliance.shops s where s.merchant = $1) as shops,
    (select coalesce(json_agg(owner_id order by since, owner_id), '[]') from compliance.company_owners where merchant = $1) as owners`;

export function readSequence(db: Queryable, merchant: string): Promise<Sequence> {
  return readOne(db, sequences, { text: SEQUENCE, values: [merchant] });
}

const recent = rowsOf(
  'compliance.skipped_numbers',
  z.object({ merchant: z.string(), count: z.number(), first: z.number(), last: z.number(), who: z.string(), at: z.string() }),
);

/** What was skipped of a merchant's numbers: how many in all, and the newest range. */
export type RecentSkip = z.output<typeof recent.schema>;

/** Merchants whose numbers were skipped since, test shops aside. */
export function skippedSince(db: Queryable, since: Date): Promise<RecentSkip[]> {
  return readRows(db, recent, {
    text: `select distinct on (merchant) merchant, (sum(last - first + 1) over (partition by merchant))::float8 as count, first::float8, last::float8, who,
        ${isoText('at')} as at
      from compliance.skipped_numbers k where k.at >= $1 and merchant not like 'T%' order by merchant, k.at desc, k.first desc`,
    values: [since],
  });
}
