import { Readable } from 'node:stream';
import { z } from 'zod';
import type { MailAttachment, Message } from '../../../platform/mail/mail-message.ts';
import type { MailBuilder } from '../../../platform/mail/outbox.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { storedContent, storedMembers } from '../file/stored-content.ts';
import { type AuditMail, auditMail } from '../summary/audit-mail.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import { renderSummary } from '../summary/render-summary.ts';
import type { AuditDeps } from './generate-month.ts';
import { readMonthSummary, readSummaryOfVersion } from './read-summary.ts';
import { fileName, fileVersion, readVersion, readVersionById, type StoredVersion } from './read-versions.ts';
import { readAuditShop } from './shop-of-month.ts';

/** The mail with a version of a month's file. */
export const VERSION_MAIL = 'audit-file';
/** The mail that says why a month has no file. */
export const MONTH_MAIL = 'audit-month';
export const REMINDER_MAIL = 'audit-reminder';

const versionRef = z.object({ fileId: z.string() });
const monthRef = z.object({ shopId: z.string(), month: z.string(), tells: z.enum(['blocked', 'empty']) });
const reminderRef = z.object({ shopId: z.string(), month: z.string() });
export type MonthMailRef = z.output<typeof monthRef>;

/** Mail servers take about 20 MB, and base64 makes a third more of it: larger files are sent compressed, or not at all. */
const LARGEST_ATTACHMENT = 12 * 1024 * 1024;

/** The mails of a month, for the shop and all its recipients. A mail whose content is outdated by the time it goes out is dropped. */
export function monthMails(deps: AuditDeps): Record<string, MailBuilder> {
  const { pool } = deps;
  return {
    [VERSION_MAIL]: async (ref) => {
      const file = await readVersionById(pool, versionRef.parse(ref).fileId);
      const current = file === null ? null : await readSummaryOfVersion(deps, file);
      if (file === null || current === null) return null;
      const version = fileVersion(file, current.shop.shopNumber);
      const summary: MonthSummary = { ...current, situation: { kind: 'generated', file: version } };
      return message(pool, { summary, mail: auditMail('generated', summary), attached: await attachments(pool, file, summary) });
    },
    [MONTH_MAIL]: async (ref) => {
      const { tells, ...key } = monthRef.parse(ref);
      const summary = await readMonthSummary(deps, key);
      return summary?.situation.kind === tells ? message(pool, { summary, mail: auditMail(tells, summary), attached: [] }) : null;
    },
    [REMINDER_MAIL]: async (ref) => {
      const summary = await readMonthSummary(deps, reminderRef.parse(ref));
      if (summary === null || summary.situation.kind === 'filed') return null;
      const file = 'file' in summary.situation ? await readVersion(pool, { shopId: summary.shop.id, month: summary.month }) : null;
      const attached = file === null ? [] : await attachments(pool, file, summary);
      return message(pool, { summary, mail: auditMail('reminder', summary), attached });
    },
  };
}

type Content = { summary: MonthSummary; mail: AuditMail; attached: MailAttachment[] };

async function message(pool: Pool, { summary, mail, attached }: Content): Promise<Message | null> {
  const shop = await readAuditShop(pool, summary.shop.id);
  if (shop === null) return null;
  const { customerEmail, auditRecipientEmails, name } = shop.details;
  const page = { filename: `spravka_${summary.month}.html`, contentType: 'text/html; charset=utf-8', content: Buffer.from(renderSummary(summary)) };
  return {
    to: [...new Set([customerEmail, ...auditRecipientEmails])],
    replyTo: null,
    senderName: name,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    attachments: [...attached, page],
    images: [],
  };
}

async function attachments(pool: Pool, file: StoredVersion, { shop }: MonthSummary): Promise<MailAttachment[]> {
  const name = fileName(file, shop.shopNumber);
  const xml = await attachment(pool, file.id, { table: 'audit_file_chunks', name, type: 'application/xml', bytes: file.bytes });
  const csv = await attachment(pool, file.id, { table: 'audit_csv_chunks', name: name.replace(/xml$/, 'csv'), type: 'text/csv; charset=utf-8', bytes: null });
  return [...xml, ...csv];
}

type Attached = { table: 'audit_file_chunks' | 'audit_csv_chunks'; name: string; type: string; bytes: number | null };

async function attachment(pool: Pool, fileId: string, { table, name, type, bytes }: Attached): Promise<MailAttachment[]> {
  const compressed = await compressedBytes(pool, fileId, table);
  const plain = bytes ?? compressed * 8;
  if (plain <= LARGEST_ATTACHMENT) return [{ filename: name, contentType: type, content: Readable.from(storedContent(pool, table, { id: fileId, bytes })) }];
  if (compressed > LARGEST_ATTACHMENT) return [];
  return [{ filename: `${name}.gz`, contentType: 'application/gzip', content: Readable.from(storedMembers(pool, table, fileId)) }];
}

const size = rowsOf('the chunks of an audit file', z.object({ bytes: z.number() }));

async function compressedBytes(pool: Pool, fileId: string, table: Attached['table']): Promise<number> {
  const { bytes } = await readOne(pool, size, {
    text: `select coalesce(sum(length(content)), 0)::float8 as bytes from compliance.${table} where file_id = $1`,
    values: [fileId],
  });
  return bytes;
}
