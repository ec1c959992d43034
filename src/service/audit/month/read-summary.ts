import { deadlineOf } from '../../law/deadlines.ts';
import { addMonths } from '../../law/months.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { type MissingRate, missingRates } from '../../rates/missing-rates.ts';
import type { Finding } from '../audit-file.ts';
import type { MonthSituation, MonthSummary } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import type { AuditDeps } from './generate-month.ts';
import { type Attempt, readAttempt } from './month-attempt.ts';
import type { MonthKey } from './month-key.ts';
import { readMonthState, type StoredMonth } from './month-state.ts';
import { openSummary } from './open-summary.ts';
import { readOutstanding } from './outstanding.ts';
import { fileVersion, readVersion, type StoredVersion } from './read-versions.ts';
import { readReceiptsOfMonth } from './receipts-of-month.ts';
import { type AuditShop, readAuditShop, summaryShop } from './shop-of-month.ts';
import type { VersionSummary } from './version-summary.ts';

/** The summary of a month as of now, for its page, its mails and the command line. Null if there is no such shop. */
export async function readMonthSummary(deps: AuditDeps, key: MonthKey): Promise<MonthSummary | null> {
  const { pool, now } = deps;
  const shop = await readAuditShop(pool, key.shopId);
  if (shop === null) return null;
  const month = await readMonthState(pool, key);
  const attempt = await readAttempt(pool, key);
  const file = await readVersion(pool, key, month.state === 'filed' ? month.filedVersion : null);
  const missing = file === null ? await missingRates(pool, key) : [];
  const situation = situationOf({ shop, month, attempt, file, key, missing });
  return {
    shop: summaryShop(shop),
    month: key.month,
    deadline: deadlineOf(key.month),
    writtenAt: now().toISOString(),
    situation,
    ...(await versionSummaryOf(deps, { shop, key, situation, attempt, file })),
    changes: file === null ? { count: 0, rows: [] } : await changesSince(pool, file),
    warnings: 'file' in situation ? warningsOf(file) : [],
    ...(await leftOf(deps, key, month)),
    ...(await readReceiptsOfMonth(pool, key)),
  };
}

/** The summary of one version of a month, which need not be the last one, with the changes since. Null if its shop is gone. */
export async function readSummaryOfVersion(deps: AuditDeps, file: StoredVersion): Promise<MonthSummary | null> {
  const { pool, now } = deps;
  const shop = await readAuditShop(pool, file.shopId);
  if (shop === null) return null;
  const month = await readMonthState(pool, file);
  return {
    shop: summaryShop(shop),
    month: file.month,
    deadline: deadlineOf(file.month),
    writtenAt: now().toISOString(),
    situation: situationOfVersion(file, month, shop),
    ...file.summary,
    changes: await changesSince(pool, file),
    warnings: warningsOf(file),
    ...(await leftOf(deps, file, month)),
    ...(await readReceiptsOfMonth(pool, file)),
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

function situationOfVersion(file: StoredVersion, { state, filedAt, filedVersion }: StoredMonth, { details }: AuditShop): MonthSituation {
  const version = fileVersion(file, details.nraNumber);
  if (filedVersion !== file.version) return { kind: 'generated', file: version };
  if (state === 'filed') return { kind: 'filed', file: version, filedOn: sofiaDay(filedAt ?? file.createdAt) };
  return { kind: state === 'rejected' ? 'rejected' : 'generated', file: version };
}

type Known = { shop: AuditShop; month: StoredMonth; attempt: Attempt | null; file: StoredVersion | null; key: MonthKey; missing: MissingRate[] };

function situationOf({ shop, month, attempt, file, key, missing }: Known): MonthSituation {
  const { nraNumber, auditGenerationDay } = shop.details;
  if (shop.test) return { kind: 'test' };
  if (file !== null && month.state === 'filed') {
    return { kind: 'filed', file: fileVersion(file, nraNumber), filedOn: sofiaDay(month.filedAt ?? file.createdAt) };
  }
  if (attempt?.kind === 'blocked') return { kind: 'blocked', errors: attempt.errors, missingRates: attempt.missingRates };
  if (attempt?.kind === 'empty') return { kind: 'empty' };
  // Shown before the month is over, because missing rates of past days have to be imported.
  if (file === null && missing.length > 0) return { kind: 'blocked', errors: [], missingRates: missing };
  if (file === null) return { kind: 'open', generatesOn: `${addMonths(key.month, 1)}-${String(auditGenerationDay).padStart(2, '0')}` };
  return { kind: month.state === 'rejected' ? 'rejected' : 'generated', file: fileVersion(file, nraNumber) };
}

type Sources = { shop: AuditShop; key: MonthKey; situation: MonthSituation; attempt: Attempt | null; file: StoredVersion | null };

async function versionSummaryOf(deps: AuditDeps, { shop, key, situation, attempt, file }: Sources): Promise<VersionSummary> {
  if ('file' in situation && file !== null) return file.summary;
  return attempt?.summary ?? (await openSummary(deps, shop, key));
}

function warningsOf(file: StoredVersion | null): Finding[] {
  return file?.findings.filter(({ level }) => level === 'warning') ?? [];
}
