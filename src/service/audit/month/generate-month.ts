import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TiedCurrency } from '../../../contract/money.ts';
import { type Authorship, authorOf, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { SAME_DATABASE } from '../../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../../audit-log/service-acts.ts';
import { monthOf, sofiaDay } from '../../law/calendar.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import { fillInMissing, type MissingRate, missingRate, missingRates } from '../../rates/missing-rates.ts';
import { createRateLookup } from '../../rates/stored-rates.ts';
import type { AuditSums, Finding } from '../audit-file.ts';
import { monthRefunds } from '../file/given-back.ts';
import { type MadeFile, makeFile } from '../file/make-file.ts';
import type { MonthOf } from '../file/read-month.ts';
import { cutOf } from '../file/snapshot.ts';
import { type SchemaThread, withSchemaCheck } from '../format/with-schema-check.ts';
import { readCountedMonth, summaryOf } from './counted-month.ts';
import { type MonthKey, noteGenerated, type OnFiled, readMonthState, subjectOf, THE_MONTH } from './month-state.ts';
import { readVersion, type StoredVersion, storedFinding, type VersionSummary, versionSummary } from './read-versions.ts';
import { type AuditShop, auditHeader, headerIn, isOurs, readAuditShop, type ShopHeader, shopHeader } from './shop-of-month.ts';

export type AuditDeps = {
  pool: Pool;
  now: () => Date;
  /** Currency of all audit files; null: by their month. */
  currency: TiedCurrency | null;
  /** How long a file waits for the replacement of a deleted order. */
  replacementWaitMs: number;
  onFiled?: OnFiled;
  /** Tests have a thread of their own. */
  schemaThread?: SchemaThread;
};

/** A version of a month's file. */
export type Version = { id: string; version: number; createdAt: string; sha256: string; bytes: number; sums: AuditSums; findings: Finding[] };

/** Why there is no file, with the summary of the month. */
export type Blocked = { kind: 'blocked'; errors: Finding[]; missingRates: MissingRate[]; summary: VersionSummary };
export type Empty = { kind: 'empty'; summary: VersionSummary };

/**
 * generated: a new version is kept. blocked: it has errors, or exchange rates are missing. empty: no order, and a file needs one. waiting: an order
 * was just deleted, its replacement may be on its way. filed: a person has marked it as filed. not-ended: the month is not over. busy: another process
 * is making this file. no-shop: there is no such shop. test-shop: it was made with a test key, and has no files. not-ours: the month is before its first
 * one here (`since`), and nothing is known of it.
 */
export type Generation = { kind: 'generated'; file: Version; summary: VersionSummary } | NotGenerated | { kind: 'busy' };
export type NotGenerated = Blocked | Empty | { kind: 'waiting'; until: string } | NotOurs | { kind: 'filed' | 'not-ended' | 'no-shop' | 'test-shop' };
type NotOurs = { kind: 'not-ours'; since: string };

/** The file would be the last version once more, but for the day on which it is made. `toMail`: that version, if it is to be filed. */
export type Same = { kind: 'same'; toMail: string | null };

type GenerationRequest = MonthKey & {
  /** Don't wait for replacements. */
  now?: boolean;
  onProgress?: (done: number, all: number) => void;
  said?: Authorship;
};

/** Makes the next version of a month's file. Throws only for bugs and outages; then nothing was stored. */
export async function generateMonth(deps: AuditDeps, request: GenerationRequest): Promise<Generation> {
  const generation = await attempt(deps, { ...request, unlikeLast: false });
  if (generation.kind === 'same') throw new Error('a version was compared with the last one, though nobody asked for it');
  return generation;
}

/** The same, unless it would be the last version once more. */
export function generateUnlikeLast(deps: AuditDeps, request: GenerationRequest): Promise<Generation | Same> {
  return attempt(deps, { ...request, unlikeLast: true });
}

type Attempting = GenerationRequest & { unlikeLast: boolean };

async function attempt(deps: AuditDeps, request: Attempting): Promise<Generation | Same> {
  const { pool, now } = deps;
  const at = now();
  const shop = await readAuditShop(pool, request.shopId);
  if (shop === null) return { kind: 'no-shop' };
  if (shop.test) return { kind: 'test-shop' };
  if (request.month >= monthOf(sofiaDay(at.toISOString()))) return { kind: 'not-ended' };
  if (!(await isOurs(pool, { ...shop, month: request.month }, at))) return { kind: 'not-ours', since: shop.since };
  const early = await notNow(pool, deps, { ...request, at });
  if (early !== null) return early;
  await takeCurrency(deps, request);
  // A new lookup: another one may have cached that a rate was not known.
  await fillInMissing(pool, createRateLookup({ pool }));
  return inTransaction(pool, async (tx) => {
    // A file without what a restore took away is not made.
    await tx.query(`select ${SAME_DATABASE}`);
    if (!(await lockMonth(tx, request))) return { kind: 'busy' };
    return generate(deps, tx, { ...request, shop, at });
  });
}

const versionRow = rowsOf('compliance.audit_files', z.object({ version: z.int() }));

/** Why no file can be made at this moment; null if it can. */
async function notNow(db: Queryable, { replacementWaitMs }: AuditDeps, { at, ...request }: GenerationRequest & { at: Date }): Promise<Generation | null> {
  const { state } = await readMonthState(db, request);
  if (state === 'filed') return { kind: 'filed' };
  const until = request.now === true ? null : await waitsUntil(db, { ...request, waitMs: replacementWaitMs, now: at });
  return until === null ? null : { kind: 'waiting', until };
}

/** Moves orders that were recorded while another currency was set to that of the file. */
async function takeCurrency({ pool, currency }: AuditDeps, { shopId, month }: MonthKey): Promise<void> {
  await pool.query(
    `update compliance.orders set accounting_currency = $3, accounting_total = null, accounting_vat = null, accounting_by_rate = null, exchange = null
     where shop_id = $1 and month = to_date($2, 'YYYY-MM') and accounting_currency <> $3`,
    [shopId, month, currency ?? accountingCurrencyOf(month)],
  );
}

async function generate(deps: AuditDeps, tx: Queryable, request: Attempting & { shop: AuditShop; at: Date }): Promise<Generation | Same> {
  const { shop, at, month, said = BY_PROGRAM, onProgress = () => undefined } = request;
  await using cut = await cutOf(deps.pool, shop.id, month);
  const { client } = cut;
  // Checked again in the snapshot: meanwhile an order may have been deleted, or the month marked as filed.
  const late = await notNow(client, deps, request);
  if (late !== null) return late;
  const key = { shopId: shop.id, month, at };
  const counted = await readCountedMonth(client, shop, { month, currency: deps.currency, now: at });
  const { of } = counted;
  if (counted.withoutRate > 0) {
    return await noted(tx, key, { kind: 'blocked', errors: [], missingRates: await missingRates(client, of), summary: summaryOf(counted, null) });
  }
  if (counted.counts.orders === 0) return await noted(tx, key, { kind: 'empty', summary: summaryOf(counted, null) });
  const bears = headerIn(shop.headers, month);
  const header = auditHeader(bears, { month, createdOn: sofiaDay(at.toISOString()) });
  const refunds = await monthRefunds(client, of, counted.currency);
  const last = request.unlikeLast ? await readVersion(client, key) : null;
  const toMake = { ...counted, header, refunds, onProgress, asOf: last === null ? null : sofiaDay(last.createdAt) };
  const made = await withSchemaCheck({ ...deps.schemaThread, orders: counted.counts.orders }, (check) => makeFile({ client, tx, check }, toMake));
  const summary = summaryOf(counted, made);
  const errors = made.findings.filter(({ level }) => level === 'error');
  if (errors.length > 0) {
    await dropChunks(tx, made.id);
    return await noted(tx, key, { kind: 'blocked', errors, missingRates: [], summary });
  }
  if (last !== null && made.sha256AsOf === last.sha256) {
    await dropChunks(tx, made.id);
    return await confirmed(tx, last, { cutAt: cut.cutAt, of, bears });
  }
  const version = await storeVersion(tx, { made, summary, cutAt: cut.cutAt, of, at, bears });
  await noteGenerated(tx, of);
  await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.generated', subject: subjectOf(of), after: { version: version.version } }]);
  return { kind: 'generated', file: version, summary };
}

async function noted<Result extends Blocked | Empty>(tx: Queryable, key: MonthKey & { at: Date }, result: Result): Promise<Result> {
  await noteAttempt(tx, { ...key, result });
  return result;
}

/** The last version has all that there is now. What the agency rejected stays so. */
async function confirmed(tx: Queryable, last: StoredVersion, { cutAt, of, bears }: Pick<ToStore, 'cutAt' | 'of' | 'bears'>): Promise<Same> {
  const values = [last.id, cutAt, of.leaveOut, shopHeader.parse(bears)];
  await tx.query('update compliance.audit_files set cut_at = $2, left_out = $3, header = $4 where id = $1', values);
  if ((await readMonthState(tx, of)).state === 'rejected') {
    await tx.query(`update compliance.audit_months set attempt = null where ${THE_MONTH}`, [of.shopId, of.month]);
    return { kind: 'same', toMail: null };
  }
  await noteGenerated(tx, of);
  return { kind: 'same', toMail: last.id };
}

async function dropChunks(tx: Queryable, fileId: string): Promise<void> {
  await tx.query('delete from compliance.audit_file_chunks where file_id = $1', [fileId]);
  await tx.query('delete from compliance.audit_csv_chunks where file_id = $1', [fileId]);
  await tx.query('delete from compliance.audit_bookkeeping_chunks where file_id = $1', [fileId]);
}

type ToStore = { made: MadeFile; summary: VersionSummary; cutAt: string; of: MonthOf; at: Date; bears: ShopHeader };

async function storeVersion(tx: Queryable, { made, summary, cutAt, of, at, bears }: ToStore): Promise<Version> {
  const { id, sha256, bytes, sums, findings } = made;
  const { version } = await readOne(tx, versionRow, {
    text: `insert into compliance.audit_files (id, shop_id, month, version, created_at, cut_at, sha256, bytes, sums, findings, summary, left_out, header)
     select $1, $2, to_date($3, 'YYYY-MM'), coalesce(max(version), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12
     from compliance.audit_files where shop_id = $2 and month = to_date($3, 'YYYY-MM') returning version`,
    values: [id, of.shopId, of.month, at, cutAt, sha256, bytes, sums, JSON.stringify(findings), summary, of.leaveOut, shopHeader.parse(bears)],
  });
  return { id, version, createdAt: at.toISOString(), sha256, bytes, sums, findings };
}

/** How many errors are stored; more would not be read. */
const KEPT = 500;

const storedAttempt = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('blocked'),
    errors: z.array(storedFinding),
    missingRates: z.array(missingRate),
    summary: versionSummary,
  }),
  z.object({ kind: z.literal('empty'), summary: versionSummary }),
]);

const attempts = rowsOf('compliance.audit_months', z.object({ attempt: storedAttempt }));

/** The last attempt at a month's file, if it made none. */
export type Attempt = z.output<typeof storedAttempt>;

/** Stores why there is no file, for the month's page and mails. What the attempt looked at is in no file: numbers are kept as if it had not been. */
async function noteAttempt(tx: Queryable, { shopId, month, result, at }: MonthKey & { result: Blocked | Empty; at: Date }): Promise<void> {
  await tx.query(
    `insert into compliance.audit_months (shop_id, month, state, attempt, attempted_at) values ($1, to_date($2, 'YYYY-MM'), 'open', $3, $4)
     on conflict (shop_id, month) do update set attempt = $3, attempted_at = $4,
       cut_at = (select max(f.cut_at) from compliance.audit_files f where f.shop_id = $1 and f.month = to_date($2, 'YYYY-MM'))`,
    [shopId, month, attemptOf(result), at],
  );
}

export async function readAttempt(db: Queryable, { shopId, month }: MonthKey): Promise<Attempt | null> {
  const row = await readRow(db, attempts, {
    text: `select attempt from compliance.audit_months where shop_id = $1 and month = to_date($2, 'YYYY-MM') and attempt is not null`,
    values: [shopId, month],
  });
  return row === null ? null : row.attempt;
}

/** Changes when the mail about an attempt would say something else. */
export function attemptDigest(result: Blocked | Empty): string {
  const outcome =
    result.kind === 'empty' ? 'empty' : JSON.stringify([result.errors.map(({ rule, order, words }) => [rule, order, words]), result.missingRates]);
  return createHash('sha256').update(outcome).digest('hex').slice(0, 16);
}

function attemptOf(result: Blocked | Empty): Attempt {
  if (result.kind === 'empty') return { kind: 'empty', summary: result.summary };
  const { errors, missingRates, summary } = result;
  return { kind: 'blocked', errors: errors.slice(0, KEPT), missingRates: missingRates.slice(0, KEPT), summary };
}

const lastDeleted = rowsOf('compliance.deleted_orders', z.object({ last: z.string().nullable() }));

/**
 * Until when a file should wait for replacements (ISO text): an order of it was deleted less than `waitMs` ago, and its replacement may be on its way.
 * Null if there is nothing to wait for.
 */
async function waitsUntil(db: Queryable, { shopId, month, waitMs, now }: MonthKey & { waitMs: number; now: Date }): Promise<string | null> {
  const { last } = await readOne(db, lastDeleted, {
    text: `select ${isoText('max(d.deleted_at)')} as last from compliance.deleted_orders d
     where d.shop_id = $1 and d.affects = to_date($2, 'YYYY-MM') and d.replaced_by is null and d.deleted_at > $3`,
    values: [shopId, month, new Date(now.getTime() - waitMs)],
  });
  return last === null ? null : new Date(Date.parse(last) + waitMs).toISOString();
}

const lockRow = rowsOf('the locks', z.object({ locked: z.boolean() }));

/** Until the end of the transaction no other process makes the file of this month. False if one is making it. */
async function lockMonth(tx: Queryable, key: MonthKey): Promise<boolean> {
  const text = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked';
  return (await readOne(tx, lockRow, { text, values: [nameOf(key)] })).locked;
}

/** Is a process making the file of this month? Looks without taking the lock, so that nobody is kept from it. */
export async function isBeingMade(db: Queryable, key: MonthKey): Promise<boolean> {
  const row = await readOne(db, lockRow, {
    text: `select exists (select from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.objsubid = 1 and l.granted and d.datname = current_database()
         and ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 0)) as locked`,
    values: [nameOf(key)],
  });
  return row.locked;
}

function nameOf({ shopId, month }: MonthKey): string {
  return `audit ${shopId} ${month}`;
}
