import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { missingRate } from '../../rates/missing-rates.ts';
import type { Blocked, Empty } from './generate-month.ts';
import type { MonthKey } from './month-key.ts';
import { storedFinding } from './stored-finding.ts';
import { versionSummary } from './version-summary.ts';

/** How many errors are stored; more would not be read. */
const KEPT = 500;

const attempt = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('blocked'),
    errors: z.array(storedFinding),
    missingRates: z.array(missingRate),
    summary: versionSummary,
  }),
  z.object({ kind: z.literal('empty'), summary: versionSummary }),
]);

const attempts = rowsOf('compliance.audit_months', z.object({ attempt }));

/** The last attempt at a month's file, if it made none. */
export type Attempt = z.output<typeof attempt>;

/** Stores why there is no file, for the month's page and mails. What the attempt looked at is in no file: numbers are kept as if it had not been. */
export async function noteAttempt(tx: Queryable, { shopId, month, result, at }: MonthKey & { result: Blocked | Empty; at: Date }): Promise<void> {
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
