import { type MarkedNothing, markNothingToFile } from '../../../src/service/audit/month/mark-month.ts';
import { monthMails } from '../../../src/service/audit/month/month-mail.ts';
import type { MonthKey } from '../../../src/service/audit/month/month-state.ts';
import { readMonthSummary } from '../../../src/service/audit/month/read-summary.ts';
import type { MonthServed } from '../../../src/service/audit/month/serve-month.ts';
import type { MonthSummary } from '../../../src/service/audit/summary/month-summary.ts';
import { summaryText } from '../../../src/service/audit/summary/summary-text.ts';
import type { AuditWorld } from './audit-world.ts';
import { auditDeps } from './october.ts';

/** The month of the world's shop. */
export function ofMonth({ shopId }: AuditWorld, month = '2026-10'): MonthKey {
  return { shopId, month };
}

/** The months that are due. */
export async function due({ server }: AuditWorld): Promise<string[]> {
  return (await server.service.work.dueMonths()).map(({ month }) => month);
}

export function serve(w: AuditWorld, month = '2026-10'): Promise<MonthServed> {
  return w.server.service.work.serveMonth(ofMonth(w, month));
}

export async function summaryOf(w: AuditWorld, month = '2026-10'): Promise<MonthSummary> {
  const summary = await readMonthSummary(auditDeps(w), ofMonth(w, month));
  if (summary === null) throw new Error('no shop');
  return summary;
}

/** The month's page as text, with plain blanks. */
export async function pageOf(w: AuditWorld, month = '2026-10'): Promise<string> {
  return summaryText(await summaryOf(w, month)).replaceAll('\u00a0', ' ');
}

/** The mail of a month of the world's shop to one reader, as it would go out now: its subject, and the names of its attachments. */
export async function auditMailOf(w: AuditWorld, kind: 'reminder' | 'month', month?: string): Promise<{ subject: string; attachments: string[] }> {
  const ref = { ...ofMonth(w, month), ...(kind === 'month' && { tells: 'empty' }) };
  const letter = await monthMails(auditDeps(w))[`audit-${kind}`]?.(ref);
  const message = await letter?.write({ address: 'shop@cups.example', light: false });
  if (message == null) throw new Error('there is nothing to mail');
  return { subject: message.subject, attachments: message.attachments.map(({ filename }) => filename) };
}

/** A person says that there is nothing to file. */
export function settle(w: AuditWorld, month = '2026-10'): Promise<MarkedNothing> {
  return markNothingToFile(w.server.pool, { ...ofMonth(w, month), note: 'Уточнено', now: w.now(), said: { by: 'key:k1' } });
}

/** The mails of the outbox, oldest first: "audit-month 2026-10 empty". */
export async function queuedMails({ server }: AuditWorld): Promise<string[]> {
  const text = `select concat_ws(' ', kind, ref ->> 'month', ref ->> 'tells') as about from compliance.mails order by created_at, kind, 1`;
  return (await server.pool.query<{ about: string }>(text)).rows.map(({ about }) => about);
}
