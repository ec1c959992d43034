import { setTimeout as sleep } from 'node:timers/promises';
import { today } from './measure-creates.ts';
import type { MonthMade, MonthToMake } from './processes/make-month.ts';
import { ask, type Stage } from './stage.ts';
import { type Subject, startOwn } from './subject.ts';

/** Memory in MB beyond that of the idle process; `megabytes` is the size of the file. */
export type Month = { orders: number; seconds: number; memory: number; idle: number; megabytes: number; findings: number };

/** How many orders the service itself records; the others are copies of these. */
const RECORDED = 1_000;
const SETTLE_MS = 2_000;

/**
 * Puts orders of the last month into separate shops, one for each size, as the service would have stored them. The service is stopped, because it would
 * make the files that are due meanwhile.
 */
export async function fillMonths(subject: Subject, sizes: readonly number[]): Promise<Map<number, string>> {
  const shops = new Map(sizes.map((size, i) => [size, subject.shops.twenty[i] ?? '']));
  for (const shopId of shops.values()) await subject.create({ shopIds: [shopId], count: RECORDED, lines: 3, day: `${lastMonth()}-15` });
  await subject.program[Symbol.asyncDispose]();
  for (const [size, shopId] of shops) await ask(subject.databaseUrl, COPY, [shopId, `${lastMonth()}-01`, size]);
  await ask(subject.databaseUrl, 'vacuum analyze compliance.orders');
  return shops;
}

/** Makes the file of one month in a separate process. */
export async function measureMonth(stage: Stage, subject: Subject, { orders, shopId }: { orders: number; shopId: string }): Promise<Month> {
  await using child = await startOwn(stage, subject, 'make-month');
  await sleep(SETTLE_MS);
  const month: MonthToMake = { databaseUrl: subject.databaseUrl, shopId, month: lastMonth() };
  const { outcome, seconds, idle, peak, bytes, findings } = await child.ask<MonthMade>(month);
  if (outcome !== 'generated') throw new Error(`the file of ${orders} orders was not made: ${outcome}`);
  return { orders, seconds, memory: (peak - idle) / 1e6, idle: idle / 1e6, megabytes: bytes / 1e6, findings };
}

function lastMonth(): string {
  const [year = 0, month = 0] = today().split('-').map(Number);
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
}

// Samples are what was recorded for this, not what other parts of the bench left in the shop. The month's days in turn; ids, numbers and document numbers are distinct.
const COPY = `
  with samples as materialized (
    select row_number() over (order by document_number)::int - 1 as place, max(document_number) over () as last, to_jsonb(o) as sample
    from compliance.orders o where shop_id = $1 and internal_created_at like left($2::text, 7) || '-15%'
  ), copies as (
    select s.last, s.sample, n, ($2::date + ((n::bigint * 28) / $3::int)::int % 28) as day
    from generate_series(0, $3::int - 1) n join samples s on s.place = n % ${RECORDED}
  ), made as (
    insert into compliance.orders
    select one.* from copies c cross join lateral jsonb_populate_record(null::compliance.orders, c.sample || jsonb_build_object(
      'id', gen_random_uuid(), 'internal_id', 'copy-' || n, 'internal_number', '#' || (500000 + n), 'listed_as', null, 'internal_created_at', day || 'T10:15:00+02:00',
      'document_number', last + 1 + n, 'document_date', day, 'month', $2::date)) one
    returning merchant, document_number
  ), counted as (
    select merchant, max(document_number) + 1 as next from made group by merchant
  )
  update compliance.merchants m set next_number = counted.next from counted where m.id = counted.merchant`;
