import type { MailAttachment, Message } from '../../../platform/mail/mail-message.ts';
import type { Letter, MailBuilder, Reader } from '../../../platform/mail/outbox.ts';
import type { Attached } from '../summary/attached.ts';
import { auditMail } from '../summary/audit-mail.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import { renderSummary } from '../summary/render-summary.ts';
import type { AuditDeps } from './generate-month.ts';
import { attachedBytes, filesForMail, MAIL_SIZES, type MailFiles, type MailSizes } from './mail-files.ts';
import type { MonthKey } from './month-key.ts';
import { MONTH_MAIL, monthRef, REMINDER_MAIL, reminderRef, VERSION_MAIL, versionRef } from './month-mail-refs.ts';
import { readMonthSummary } from './read-summary.ts';
import { fileName, readVersion, type StoredVersion } from './read-versions.ts';
import { readAuditShop } from './shop-of-month.ts';
import { type MonthMailContent, mailedKind, tellsOf, versionMail } from './version-mail.ts';

/** The address of a month's page for a recipient; null: there is none for him. */
export type LinkOf = (about: MonthKey & { address: string }) => Promise<string | null>;

export type MonthMailDeps = AuditDeps & {
  /** Where answers go: to whom runs the service. Null or absent: to the sender. */
  replyTo?: string | null;
  /** Absent: mails name commands. */
  linkOf?: LinkOf;
  /** Absent: those that ordinary servers take. */
  sizes?: MailSizes;
};

/** The mails of a month, for the shop and all its recipients. A mail whose content is outdated by the time it goes out is dropped. */
export function monthMails(deps: MonthMailDeps): Record<string, MailBuilder> {
  const { pool } = deps;
  return {
    [VERSION_MAIL]: async (ref) => {
      const content = await versionMail(deps, versionRef.parse(ref).fileId);
      return content === null ? null : letter(deps, content);
    },
    [MONTH_MAIL]: async (ref) => {
      const { tells, ...key } = monthRef.parse(ref);
      const summary = await readMonthSummary(deps, key);
      const kind = summary === null ? null : mailedKind(summary.situation);
      return summary !== null && kind !== null && tellsOf(kind) === tells ? letter(deps, { kind, summary, file: null }) : null;
    },
    [REMINDER_MAIL]: async (ref) => {
      const summary = await readMonthSummary(deps, reminderRef.parse(ref));
      if (summary === null || summary.situation.kind === 'filed' || summary.situation.kind === 'nothing') return null;
      const file = 'file' in summary.situation ? await readVersion(pool, { shopId: summary.shop.id, month: summary.month }) : null;
      return letter(deps, { kind: 'reminder', summary, file });
    },
  };
}

async function letter(deps: MonthMailDeps, content: MonthMailContent): Promise<Letter | null> {
  const shop = await readAuditShop(deps.pool, content.summary.shop.id);
  if (shop === null) return null;
  const { customerEmail, auditRecipientEmails, name } = shop.details;
  return { to: [customerEmail, ...auditRecipientEmails], write: (reader) => message(deps, { ...content, reader, senderName: name }) };
}

type Written = MonthMailContent & { reader: Reader; senderName: string };

async function message(deps: MonthMailDeps, { reader, senderName, ...content }: Written): Promise<Message> {
  const { whole } = deps.sizes ?? MAIL_SIZES;
  const files = reader.light ? null : await filesOf(deps, content);
  const link = await linkFor(deps, content, reader);
  const attached = attachedAs({ ...content, files, link });
  const told: MonthSummary = { ...content.summary, ...(attached !== null && { attached }) };
  const { subject, html, text } = auditMail(content.kind, told, link);
  const page = pageOf(told);
  const withPage = !reader.light && besideFiles({ html, text }, page) <= whole;
  const attachments = [...(files?.attachments ?? []), ...(withPage ? [page] : [])];
  return { to: [reader.address], replyTo: deps.replyTo ?? null, senderName, subject, html, text, attachments, images: [] };
}

/** The files of the version, as they fit beside the rest of the mail. */
async function filesOf({ pool, sizes = MAIL_SIZES }: MonthMailDeps, { kind, summary, file }: MonthMailContent): Promise<MailFiles | null> {
  if (file === null) return null;
  const beside = besideFiles(auditMail(kind, summary), pageOf(summary));
  return filesForMail(pool, { file, name: fileName(file), sizes, beside });
}

/** Bulgarian text takes at most twice its bytes in a mail; the words about the attachments are not known yet. */
function besideFiles({ html, text }: { html: string; text: string }, page: { content: Buffer }): number {
  return 2 * (Buffer.byteLength(html) + Buffer.byteLength(text)) + attachedBytes(page.content) + SPARE_BYTES;
}

const SPARE_BYTES = 8 * 1024;

function pageOf(summary: MonthSummary): MailAttachment & { content: Buffer } {
  return { filename: `spravka_${summary.month}.html`, contentType: 'text/html; charset=utf-8', content: Buffer.from(renderSummary(summary)) };
}

async function linkFor({ linkOf }: MonthMailDeps, { summary }: MonthMailContent, { address }: Reader): Promise<string | null> {
  return (await linkOf?.({ shopId: summary.shop.id, month: summary.month, address })) ?? null;
}

type ToTell = MonthMailContent & { files: MailFiles | null; link: string | null };

/** Null: the mail is about no file. */
function attachedAs({ file, files, link }: ToTell): Attached | null {
  if (file === null) return null;
  if (files?.kind === 'files') return { kind: 'files' };
  if (files?.kind === 'zip') return { kind: 'zip', name: files.name, withoutCsv: files.withoutCsv, bookkeeping: files.bookkeeping };
  return { kind: 'left-out', download: link === null ? { command: xmlCommand(file) } : { link } };
}

function xmlCommand(file: StoredVersion): string {
  const { shopId, month, version } = file;
  return `orderbridge service audit show --shop ${shopId} --month ${month} --version ${version} --xml > ${fileName(file)}`;
}
