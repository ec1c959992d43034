import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { AuditMailKind } from '../summary/audit-mail.ts';
import type { MonthSituation, MonthSummary } from '../summary/month-summary.ts';
import type { AuditDeps } from './generate-month.ts';
import { MONTH_MAIL, VERSION_MAIL } from './month-mail-refs.ts';
import { readMonthSummary } from './read-summary.ts';
import { readVersion, readVersionById, type StoredVersion } from './read-versions.ts';

/** What a mail of a month tells. `file`: the version that goes with it. */
export type MonthMailContent = { kind: AuditMailKind; summary: MonthSummary; file: StoredVersion | null };

/**
 * What the mail of a version tells at the time it goes out: the month as it is then. Null if a newer mail tells the same, or if there is nothing to do.
 */
export async function versionMail(deps: AuditDeps, fileId: string): Promise<MonthMailContent | null> {
  const { pool } = deps;
  const made = await readVersionById(pool, fileId);
  const summary = made === null ? null : await readMonthSummary(deps, made);
  if (made === null || summary === null) return null;
  const { situation } = summary;
  const kind = mailedKind(situation);
  if (kind === null) return null;
  const file = 'file' in situation ? await readVersion(pool, made, situation.file.version) : null;
  if (file?.id !== made.id && (await isTold(pool, { made, file, kind }))) return null;
  return { kind, summary, file };
}

export function mailedKind({ kind }: MonthSituation): Exclude<AuditMailKind, 'reminder'> | null {
  return kind === 'returns-only' || kind === 'generated' || kind === 'filed' || kind === 'rejected' || kind === 'blocked' || kind === 'empty' ? kind : null;
}

/** Of a month without a file: what its mail was queued for. */
export function tellsOf(kind: AuditMailKind): AuditMailKind {
  return kind === 'returns-only' ? 'empty' : kind;
}

const told = rowsOf('compliance.mails', z.object({ told: z.boolean() }));

/** Is there a mail of the version that counts now, or one that says why there is none? */
async function isTold(db: Queryable, { made, file, kind }: Pick<MonthMailContent, 'file' | 'kind'> & { made: StoredVersion }): Promise<boolean> {
  const text = `select exists (select from compliance.mails m where m.shop_id = $1 and m.created_at >= $2 and case
      when $3::text is not null then m.kind = '${VERSION_MAIL}' and m.ref ->> 'fileId' = $3
      else m.kind = '${MONTH_MAIL}' and m.ref ->> 'month' = $4 and m.ref ->> 'tells' = $5 end) as told`;
  return (await readOne(db, told, { text, values: [made.shopId, made.createdAt, file?.id ?? null, made.month, tellsOf(kind)] })).told;
}
