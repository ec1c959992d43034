import { z } from 'zod';
import { typesWithReceipt } from '../../../contract/order-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { deadlineOf, generationOf } from '../../law/deadlines.ts';
import { questionableOrdersOf } from '../../orders/questionable-orders.ts';
import { type MissingRate, missingRates } from '../../rates/missing-rates.ts';
import type { Finding } from '../audit-file.ts';
import { cutOf } from '../file/snapshot.ts';
import type { FileVersion, MonthSituation, MonthSummary } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import { changesSince } from './changes-since.ts';
import { readCountedMonth, summaryOf, unreportedReturns } from './counted-month.ts';
import { type Attempt, type AuditDeps, readAttempt } from './generate-month.ts';
import { isSettled, type MonthKey, readMonthState, type StoredMonth } from './month-state.ts';
import { readOutstanding } from './outstanding.ts';
import { fileVersion, readVersion, type StoredVersion, type VersionSummary } from './read-versions.ts';
import { type AuditShop, isOurs, readAuditShop, summaryShop } from './shop-of-month.ts';

/** The summary of a month as of now, for its page, its mails and the command line. Null if there is no such shop. */
export async function readMonthSummary(deps: AuditDeps, key: MonthKey): Promise<MonthSummary | null> {
  const { pool, now } = deps;
  const shop = await readAuditShop(pool, key.shopId);
  if (shop === null) return null;
  const month = await readMonthState(pool, key);
  const stored = await readAttempt(pool, key);
  const file = await readVersion(pool, key, month.state === 'filed' ? month.filedVersion : null);
  // What came into an empty month since the attempt counts.
  const live = stored?.kind === 'empty' || file === null ? await openSummary(deps, shop, key) : null;
  const attempt = stored?.kind === 'empty' && live !== null && live.figures.orders > 0 ? null : stored;
  const missing = file === null ? await missingRates(pool, key) : [];
  const left = await leftOf(deps, key, month);
  const isOurMonth = await isOurs(pool, { ...shop, month: key.month }, now());
  const situation = await situationOf(pool, { shop, month, attempt, file, key, missing, isOurMonth, returns: live?.returns.count ?? 0 });
  return {
    shop: summaryShop(shop, key.month, month.state === 'filed' ? (file?.header ?? null) : null),
    month: key.month,
    deadline: deadlineOf(key.month),
    writtenAt: now().toISOString(),
    situation,
    ...('file' in situation && file !== null ? file.summary : await figuresOf(deps, { shop, key, attempt, live })),
    changes: file === null ? { count: 0, rows: [] } : await changesSince(pool, file, now()),
    warnings: 'file' in situation ? warningsOf(file) : [],
    ...left,
    ...(await unreportedReturns(pool, { ...key, currency: deps.currency, now: now() })),
    ...(await readReceiptsOfMonth(pool, key)),
    ...(await readSkippedNumbers(pool, key)),
  };
}

/** The summary of one version of a month, which need not be the last one, with the changes since. Null if its shop is gone. */
export async function readSummaryOfVersion(deps: AuditDeps, file: StoredVersion): Promise<MonthSummary | null> {
  const { pool, now } = deps;
  const shop = await readAuditShop(pool, file.shopId);
  if (shop === null) return null;
  const month = await readMonthState(pool, file);
  return {
    shop: summaryShop(shop, file.month, file.header),
    month: file.month,
    deadline: deadlineOf(file.month),
    writtenAt: now().toISOString(),
    situation: situationOfVersion(file, month),
    ...file.summary,
    changes: await changesSince(pool, file, now()),
    warnings: warningsOf(file),
    ...(await leftOf(deps, file, month)),
    ...(await readReceiptsOfMonth(pool, file)),
    ...(await readSkippedNumbers(pool, file)),
  };
}

async function leftOf(
  { pool, now }: AuditDeps,
  key: MonthKey,
  { state, filedWithout }: StoredMonth,
): Promise<Pick<MonthSummary, 'outstanding' | 'filedWithout'>> {
  if (state === 'filed') return filedWithout === null ? {} : { filedWithout };
  const outstanding = await readOutstanding(pool, key, now());
  return outstanding === undefined ? {} : { outstanding };
}

function situationOfVersion(file: StoredVersion, month: StoredMonth): MonthSituation {
  const version = fileVersion(file);
  if (month.filedVersion !== file.version) return { kind: 'generated', file: version };
  return saidOf(month, version);
}

/** What a person said of a version of the month's file. */
function saidOf({ state, filedOn, filedAt, incomingNumber, rejectedWords }: StoredMonth, file: FileVersion): MonthSituation {
  const on = filedOn ?? sofiaDay(filedAt ?? file.createdAt);
  if (state === 'filed') return { kind: 'filed', file, filedOn: on, ...(incomingNumber === null ? {} : { incomingNumber }) };
  if (state === 'rejected') return { kind: 'rejected', file, ...(rejectedWords === null ? {} : { words: rejectedWords }) };
  return { kind: 'generated', file };
}

type MonthFacts = {
  shop: AuditShop;
  month: StoredMonth;
  attempt: Attempt | null;
  file: StoredVersion | null;
  key: MonthKey;
  missing: MissingRate[];
  isOurMonth: boolean;
  /** Of a month without a file. */
  returns: number;
};

async function situationOf(db: Queryable, { shop, month, attempt, file, key, missing, isOurMonth, returns }: MonthFacts): Promise<MonthSituation> {
  if (shop.test) return { kind: 'test' };
  if (file !== null && month.state === 'filed') return saidOf(month, fileVersion(file));
  if (month.nothing !== null && month.isSettled)
    return {
      kind: 'nothing',
      note: month.nothing.note,
      settledOn: sofiaDay(month.nothing.at),
      ...(month.nothing.returns && { returns: month.nothing.returns }),
    };
  if (attempt?.kind === 'blocked') return { kind: 'blocked', errors: attempt.errors, missingRates: attempt.missingRates };
  if (!isOurMonth) return { kind: 'not-ours', since: shop.since };
  const outdated = file === null ? {} : { outdated: file.version };
  if (attempt?.kind === 'empty' && returns > 0) return { kind: 'returns-only', ...outdated };
  if (attempt?.kind === 'empty') return { kind: 'empty', ...(await emptyOthers(db, key, shop.since)), ...outdated };
  // Shown before the month is over, because missing rates of past days have to be imported.
  if (file === null && missing.length > 0) return { kind: 'blocked', errors: [], missingRates: missing };
  if (file === null) return { kind: 'open', generatesOn: generationOf(key.month, shop.details.auditGenerationDay) };
  return saidOf(month, fileVersion(file));
}

const monthRows = rowsOf('compliance.audit_months', z.object({ month: z.string() }));

/** Further months that were found empty, newest last. */
async function emptyOthers(db: Queryable, { shopId, month }: MonthKey, since: string): Promise<{ others?: string[] }> {
  const rows = await readRows(db, monthRows, {
    text: `select to_char(a.month, 'YYYY-MM') as month from compliance.audit_months a
     where a.shop_id = $1 and a.month <> to_date($2, 'YYYY-MM') and a.month >= to_date($3, 'YYYY-MM') and a.state in ('open', 'nothing')
       and a.attempt ->> 'kind' = 'empty' and not ${isSettled('a')}
       and not exists (select from compliance.orders o where o.shop_id = a.shop_id and o.month = a.month and o.recorded_at > a.attempted_at)
     order by a.month`,
    values: [shopId, month, since],
  });
  return rows.length === 0 ? {} : { others: rows.map((row) => row.month) };
}

type Sources = { shop: AuditShop; key: MonthKey; attempt: Attempt | null; live: VersionSummary | null };

async function figuresOf(deps: AuditDeps, { shop, key, attempt, live }: Sources): Promise<VersionSummary> {
  if (attempt?.kind === 'blocked') return attempt.summary;
  return live ?? (await openSummary(deps, shop, key));
}

function warningsOf(file: StoredVersion | null): Finding[] {
  return file?.findings.filter(({ level }) => level === 'warning') ?? [];
}

/** The summary, as of now, of a month without a file. */
async function openSummary({ pool, currency, now }: AuditDeps, shop: AuditShop, { month }: MonthKey): Promise<VersionSummary> {
  await using cut = await cutOf(pool, shop.id);
  return summaryOf(await readCountedMonth(cut.client, shop, { month, currency, now: now() }), null);
}

const counts = rowsOf('compliance.receipts', z.object({ missing: z.int(), unmailed: z.int() }));

/** Orders of a month that should have a receipt and have none, receipts that no buyer was mailed, and orders that look wrong; nothing of what there is none. */
async function readReceiptsOfMonth(db: Queryable, { shopId, month }: MonthKey): Promise<Pick<MonthSummary, 'receipts' | 'questionable'>> {
  const questionable = await questionableOrdersOf(db, { shopId, month });
  const receipts = await readOne(db, counts, {
    text: `select (count(*) filter (where r.id is null))::int as missing, (count(*) filter (where r.id is not null and r.mail_key is null))::int as unmailed
     from compliance.orders o left join compliance.receipts r on r.order_id = o.id
     where o.shop_id = $1 and o.month = to_date($2, 'YYYY-MM') and o.payment_type = any($3)`,
    values: [shopId, month, [...typesWithReceipt]],
  });
  return { ...(receipts.missing + receipts.unmailed === 0 ? {} : { receipts }), ...(questionable.length === 0 ? {} : { questionable }) };
}

const skipped = rowsOf(
  'compliance.skipped_numbers',
  z.object({ count: z.int(), rows: z.array(z.object({ from: z.string(), to: z.string(), skippedOn: z.string(), why: z.string() })) }),
);

const SKIPPED = `
  with own as (
    select min(document_number) as lowest, max(document_number) as highest from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM')
  ), ranges as (
    select k.first, k.last, k.why, (k.at at time zone 'Europe/Sofia')::date as on_day
    from compliance.shops s join compliance.skipped_numbers k on k.merchant = s.merchant cross join own where s.id = $1
  ), named as (
    select r.* from ranges r cross join own where r.first between own.lowest and own.highest or date_trunc('month', r.on_day) = to_date($2, 'YYYY-MM')
  )
  select (select count(*)::int from named) as count, coalesce(json_agg(listed), '[]') as rows from (
    select lpad(first::text, 10, '0') as "from", lpad(last::text, 10, '0') as "to", on_day::text as "skippedOn", why
    from named order by first limit ${summaryLimits.rows}
  ) listed`;

/** Numbers that nobody gets, between those of the month, or skipped in its days: why its documents do not follow one another. Nothing if there is none. */
async function readSkippedNumbers(db: Queryable, { shopId, month }: MonthKey): Promise<Pick<MonthSummary, 'skipped'>> {
  const found = await readOne(db, skipped, { text: SKIPPED, values: [shopId, month] });
  return found.count === 0 ? {} : { skipped: found };
}
