import { z } from 'zod';
import { encodedBytes, type MailAttachment, type Message } from '../../../platform/mail/mail-message.ts';
import type { Letter, MailBuilder, Reader } from '../../../platform/mail/outbox.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { readWithin, type ZippedFile, zipWithin } from '../../../platform/zip-within.ts';
import { openRecipients } from '../../mail/recipients.ts';
import { senderOf } from '../../mail/shop-mails.ts';
import { type ContentTable, storedContent } from '../file/stored-content.ts';
import type { MailAttachments } from '../summary/attached.ts';
import { type AuditMailKind, auditMail } from '../summary/audit-mail.ts';
import type { MonthSituation, MonthSummary } from '../summary/month-summary.ts';
import { renderSummary } from '../summary/render-summary.ts';
import type { AuditDeps } from './generate-month.ts';
import { MONTH_MAIL, monthRef, REMINDER_MAIL, reminderRef, VERSION_MAIL, versionRef } from './month-outbox.ts';
import type { MonthKey } from './month-state.ts';
import { readMonthSummary } from './read-summary.ts';
import { fileName, readVersion, readVersionById, type StoredVersion } from './read-versions.ts';
import { readAuditShop } from './shop-of-month.ts';

/** The address of a month's page for a recipient; null: there is none for them. */
type LinkOf = (about: MonthKey & { address: string }) => Promise<string | null>;

export type MonthMailDeps = AuditDeps & {
  /** Where answers go: to whom runs the service. Null or absent: to the sender. */
  replyTo?: string | null;
  /** Absent: mails say that an answer is enough. */
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
  const to = await openRecipients(deps.pool, shop);
  return to.length === 0 ? null : { to, write: (reader) => message(deps, { ...content, reader, senderName: senderOf(shop.details.name) }) };
}

async function message(deps: MonthMailDeps, { reader, senderName, ...content }: MonthMailContent & { reader: Reader; senderName: string }): Promise<Message> {
  const { whole } = deps.sizes ?? MAIL_SIZES;
  const files = reader.light ? null : await filesOf(deps, content);
  const link = await linkFor(deps, content, reader);
  const attached = attachedAs({ ...content, files, link });
  const mailed: MonthSummary = { ...content.summary, ...(attached !== null && { attached }) };
  const { subject, html, text } = auditMail(content.kind, mailed, link);
  const page = pageOf(mailed, link);
  const withPage = !reader.light && besideFiles({ html, text }, page) <= whole;
  const attachments = [...(files?.attachments ?? []), ...(withPage ? [page] : [])];
  return { to: [reader.address], replyTo: deps.replyTo ?? null, senderName, subject, html, text, attachments, images: [] };
}

/** The files of the version, as they fit beside the rest of the mail. */
async function filesOf({ pool, sizes = MAIL_SIZES }: MonthMailDeps, { kind, summary, file }: MonthMailContent): Promise<MailFiles | null> {
  if (file === null) return null;
  const beside = besideFiles(auditMail(kind, summary), pageOf(summary, null));
  return filesForMail(pool, { file, name: fileName(file), sizes, beside });
}

/** Bulgarian text takes at most twice its bytes in a mail; the words about the attachments are not known yet. */
function besideFiles({ html, text }: { html: string; text: string }, page: { content: Buffer }): number {
  return 2 * (Buffer.byteLength(html) + Buffer.byteLength(text)) + attachedBytes(page.content) + SPARE_BYTES;
}

const SPARE_BYTES = 8 * 1024;

function pageOf(summary: MonthSummary, link: string | null): MailAttachment & { content: Buffer } {
  const content = Buffer.from(renderSummary(summary, { kind: link === null ? 'reply' : 'elsewhere' }));
  return { filename: `spravka_${summary.month}.html`, contentType: 'text/html; charset=utf-8', content };
}

async function linkFor({ linkOf }: MonthMailDeps, { summary }: MonthMailContent, { address }: Reader): Promise<string | null> {
  return (await linkOf?.({ shopId: summary.shop.id, month: summary.month, address })) ?? null;
}

/** Null: the mail is about no file. */
function attachedAs({ file, files, link }: MonthMailContent & { files: MailFiles | null; link: string | null }): MailAttachments | null {
  if (file === null) return null;
  if (files?.kind === 'files') return { kind: 'files' };
  if (files?.kind === 'zip') return { kind: 'zip', name: files.name, withoutCsv: files.withoutCsv, bookkeeping: files.bookkeeping };
  return { kind: 'left-out', link };
}

/** What a mail of a month tells. `file`: the version that goes with it. */
type MonthMailContent = { kind: AuditMailKind; summary: MonthSummary; file: StoredVersion | null };

/**
 * What the mail of a version tells at the time it goes out: the month as it is then. Null if a newer mail tells the same, or if there is nothing to do.
 */
async function versionMail(deps: AuditDeps, fileId: string): Promise<MonthMailContent | null> {
  const { pool } = deps;
  const made = await readVersionById(pool, fileId);
  const summary = made === null ? null : await readMonthSummary(deps, made);
  if (made === null || summary === null) return null;
  const { situation } = summary;
  const kind = mailedKind(situation);
  if (kind === null) return null;
  const file = 'file' in situation ? await readVersion(pool, made, situation.file.version) : null;
  if (file?.id !== made.id && (await isMailed(pool, { made, file, kind }))) return null;
  return { kind, summary, file };
}

function mailedKind({ kind }: MonthSituation): Exclude<AuditMailKind, 'reminder'> | null {
  return kind === 'returns-only' || kind === 'generated' || kind === 'filed' || kind === 'rejected' || kind === 'blocked' || kind === 'empty' ? kind : null;
}

/** Of a month without a file: what its mail was queued for. */
function tellsOf(kind: AuditMailKind): AuditMailKind {
  return kind === 'returns-only' ? 'empty' : kind;
}

const mailedRows = rowsOf('compliance.mails', z.object({ mailed: z.boolean() }));

/** Is there a mail of the version that counts now, or one that says why there is none? */
async function isMailed(db: Queryable, { made, file, kind }: Pick<MonthMailContent, 'file' | 'kind'> & { made: StoredVersion }): Promise<boolean> {
  const text = `select exists (select from compliance.mails m where m.shop_id = $1 and m.created_at >= $2 and case
      when $3::text is not null then m.kind = '${VERSION_MAIL}' and m.ref ->> 'fileId' = $3
      else m.kind = '${MONTH_MAIL}' and m.ref ->> 'month' = $4 and m.ref ->> 'tells' = $5 end) as mailed`;
  return (await readOne(db, mailedRows, { text, values: [made.shopId, made.createdAt, file?.id ?? null, made.month, tellsOf(kind)] })).mailed;
}

/** In bytes of the mail as it is sent: the most, and beyond how much the files go in an archive. */
type MailSizes = { whole: number; plain: number };

const MB = 1024 * 1024;
/** Servers that take less than 10 MB are rare. */
export const MAIL_SIZES: MailSizes = { whole: 8 * MB, plain: 4 * MB };

/**
 * The files of a version as they fit: all as they are, or an archive of as many as have room, or null. `withoutCsv`: without that of the orders.
 * `bookkeeping`: with that of the sums.
 */
type MailFiles =
  | { kind: 'files'; attachments: MailAttachment[] }
  | { kind: 'zip'; name: string; withoutCsv: boolean; bookkeeping: boolean; attachments: MailAttachment[] };

type Wanted = { file: StoredVersion; name: string; sizes: MailSizes /** What the rest of the mail takes. */; beside: number };

type SideTable = Exclude<ContentTable, 'audit_file_chunks'>;

/** Those that are left out first come first. */
const SIDES: readonly SideTable[] = ['audit_csv_chunks', 'audit_bookkeeping_chunks'];

/** Chooses how the files of a version fit into a mail. At most as much is in memory as a mail may hold. */
export async function filesForMail(pool: Pool, wanted: Wanted): Promise<MailFiles | null> {
  const whole = await asTheyAre(pool, wanted, SIDES);
  if (whole !== null) return whole;
  for (const sides of [SIDES, SIDES.slice(1), []]) {
    const archive = await archived(pool, wanted, sides);
    if (archive !== null) return archive;
  }
  return null;
}

async function asTheyAre(pool: Pool, { file, name, sizes, beside }: Wanted, sides: readonly SideTable[]): Promise<MailFiles | null> {
  let room = rawBytes(sizes.plain - beside);
  if (file.bytes > room) return null;
  const attachments: MailAttachment[] = [];
  for (const table of ['audit_file_chunks', ...sides] as const) {
    const content = await readWithin(contentOf(pool, table, file), room);
    if (content === null) return null;
    room -= content.byteLength;
    attachments.push({ filename: nameOf(table, name), contentType: table === 'audit_file_chunks' ? 'application/xml' : 'text/csv; charset=utf-8', content });
  }
  return { kind: 'files', attachments };
}

async function archived(pool: Pool, { file, name, sizes, beside }: Wanted, sides: readonly SideTable[]): Promise<MailFiles | null> {
  const limit = rawBytes(sizes.whole - beside);
  const tables = ['audit_file_chunks', ...sides] as const;
  if ((await storedBytes(pool, file.id, tables)) > limit * STORED_IS_LARGER) return null;
  const files = tables.map((table): ZippedFile => ({ name: nameOf(table, name), content: contentOf(pool, table, file) }));
  const content = await zipWithin(files, { limit, at: new Date(file.createdAt) });
  if (content === null) return null;
  const archive = name.replace(/xml$/, 'zip');
  const attachments = [{ filename: archive, contentType: 'application/zip', content }];
  return {
    ...{ kind: 'zip', name: archive, attachments },
    withoutCsv: !sides.includes('audit_csv_chunks'),
    bookkeeping: sides.includes('audit_bookkeeping_chunks'),
  };
}

/** An archive is a little smaller than the pieces that are stored, each compressed alone. */
const STORED_IS_LARGER = 1.2;

/** How many bytes in base64 take so many bytes. */
function rawBytes(room: number): number {
  return Math.floor((room * 3 * 76) / (4 * 78)) - 3;
}

/** What a content takes in a mail, with the headers of its part. */
function attachedBytes(content: Buffer): number {
  return encodedBytes(content.byteLength) + PART_HEADERS;
}

const PART_HEADERS = 500;

function contentOf(pool: Pool, table: ContentTable, { id, bytes }: StoredVersion): AsyncIterable<Uint8Array> {
  return storedContent(pool, table, { id, bytes: table === 'audit_file_chunks' ? bytes : null });
}

/** Its name beside that of the XML. */
function nameOf(table: ContentTable, xml: string): string {
  if (table === 'audit_file_chunks') return xml;
  return table === 'audit_csv_chunks' ? xml.replace(/xml$/, 'csv') : xml.replace(/^audit/, 'bookkeeping').replace(/xml$/, 'csv');
}

const size = rowsOf('the chunks of an audit file', z.object({ bytes: z.number() }));

async function storedBytes(pool: Pool, fileId: string, tables: readonly ContentTable[]): Promise<number> {
  let sum = 0;
  for (const table of tables) {
    const text = `select coalesce(sum(length(content)), 0)::float8 as bytes from compliance.${table} where file_id = $1`;
    sum += (await readOne(pool, size, { text, values: [fileId] })).bytes;
  }
  return sum;
}
