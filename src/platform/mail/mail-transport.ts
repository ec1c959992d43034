import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SendMailOptions } from 'nodemailer';
import { syncDirectory } from '../data-dir.ts';
import { mayCarrySecrets } from '../may-carry-secrets.ts';
import { domainOf, plainAddress } from './mail-address.ts';
import { failedTry, partialTry } from './mail-failure.ts';
import { encodedBytes, type MailAttachment, type MailResult, type Message } from './mail-message.ts';

export type MailTransport = {
  /**
   * Tries once to send. `id` makes the Message-ID, so that a mail that arrives twice is recognized as one. Failures of the mail server are values;
   * it throws only for faults of ours: content that can't be read, a folder that can't be written.
   */
  send(message: Message, id: string): Promise<MailResult>;
  /** Can mails be sent? `ok` false if not; words for people either way, without passwords. */
  check(): Promise<{ ok: boolean; words: string }>;
};

type Way = { send(mail: Outgoing): Promise<MailResult>; check: MailTransport['check'] };

type Options = {
  /** "smtp://user:password@host:587" or "smtps://…"; null: mails are files in `outboxDir`. */
  smtpUrl: string | null;
  /** "Shop service <audit@example.com>", or the address alone. */
  from: string;
  outboxDir: string;
  /** Hosts to which mails and the password may go unencrypted, beside this machine and private addresses. */
  trustedHttpHosts?: readonly string[];
  now?: () => Date;
  timeouts?: Timeouts;
};

/** In milliseconds; `whole` limits one try, and is shorter than its lease. */
type Timeouts = { connect: number; silence: number; whole: number };

const TIMEOUTS: Timeouts = { connect: 20_000, silence: 60_000, whole: 300_000 };

/** Sends mails by SMTP, encrypted wherever they or a password go over a network, or writes them into files. */
export function openMailTransport({ smtpUrl, from, outboxDir, trustedHttpHosts = [], now = () => new Date(), timeouts = TIMEOUTS }: Options): MailTransport {
  const sender = parseSender(from);
  const way = smtpUrl === null ? intoFiles(outboxDir, now) : bySmtp(smtpUrl, timeouts, trustedHttpHosts);
  return {
    async send(message, id) {
      const known = message.to.flatMap((given) => {
        const address = plainAddress(given);
        return address === null ? [] : [{ given, address }];
      });
      const unusable = message.to.filter((given) => !known.some((one) => one.given === given));
      const to = [...new Set(known.map(({ address }) => address))];
      const result: MailResult = to.length === 0 ? NOBODY : await way.send({ message, to, id, sender, date: now() });
      return asGiven(result, known, unusable);
    },
    check: () => way.check(),
  };
}

const NOBODY: MailResult = { accepted: [], refused: [], why: null };

type Known = { given: string; address: string };

function asGiven({ accepted, refused, why, ...size }: MailResult, known: readonly Known[], unusable: readonly string[]): MailResult {
  const given = (address: string) => known.filter((one) => one.address === address).map((one) => one.given);
  return {
    accepted: accepted.flatMap(given),
    refused: [
      ...refused.flatMap(({ address, permanent }) => given(address).map((one) => ({ address: one, permanent }))),
      ...unusable.map((address) => ({ address, permanent: true })),
    ],
    why: why ?? (unusable.length === 0 ? null : `${unusable.length} of ${known.length + unusable.length} recipients are no e-mail addresses`),
    ...size,
  };
}

type Outgoing = { message: Message; to: readonly string[]; id: string; sender: Sender; date: Date };

function intoFiles(folder: string, now: () => Date): Way {
  return {
    async send(mail) {
      await writeEml({ folder, mail: toMime(mail), id: mail.id, date: now() });
      return { accepted: mail.to, refused: [], why: null };
    },
    check: async () => ({ ok: true, words: `mails are put as .eml files into ${folder}, because SMTP_URL is unset` }),
  };
}

function bySmtp(url: string, { connect, silence, whole }: Timeouts, trusted: readonly string[]): Way {
  const options = {
    ...(mustEncrypt(url, trusted) ? { url: withoutSwitches(url), requireTLS: true } : { url }),
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded with the first mail: it is large.
  const open = async () => (await import('nodemailer')).createTransport(options);
  return {
    async send(mail) {
      try {
        const transport = await open();
        const info: unknown = await transport.sendMail({ ...toMime(mail), signal: AbortSignal.timeout(whole) });
        return partialTry(info, mail.to);
      } catch (thrown) {
        return failedTry(thrown, mail.to);
      }
    },
    async check() {
      try {
        await (await open()).verify();
        return { ok: true, words: 'the mail server answers, and takes the password' };
      } catch (thrown) {
        return { ok: false, words: failedTry(thrown, []).why ?? 'the mail server can’t be used' };
      }
    },
  };
}

// Mails hold buyers' data, so they need no password to be encrypted. To a private address a password, too, goes in the clear only if the address says so.
function mustEncrypt(url: string, trusted: readonly string[]): boolean {
  if (!mayCarrySecrets(url, trusted)) return true;
  const { protocol, username, hostname, searchParams } = new URL(url);
  const isLocal = ['localhost', '127.0.0.1', '[::1]', ...trusted].includes(hostname.toLowerCase());
  return protocol === 'smtp:' && username !== '' && !isLocal && !searchParams.has('requireTLS');
}

// What the address says comes before the options beside it.
function withoutSwitches(address: string): string {
  const url = new URL(address);
  for (const name of ['requireTLS', 'ignoreTLS', 'opportunisticTLS']) url.searchParams.delete(name);
  return url.href;
}

function parseSender(from: string): Sender {
  const [, name = '', bracketed] = /^([^<]*)<([^<>]+)>$/.exec(from.trim()) ?? [];
  const address = (bracketed ?? from).trim();
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address, domain: domainOf(address) };
}

/** The sender of mails: the service's own address and name. */
type Sender = { name: string; address: string; domain: string };

type MimeMessage = { message: Message; to: readonly string[]; id: string; sender: Sender; date: Date };

// These headers keep out-of-office programs from answering.
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** A mail as nodemailer takes it. Addresses are objects, so nothing in them is read as a list of more. */
function toMime({ message, to, id, sender, date }: MimeMessage): SendMailOptions {
  const { replyTo, senderName, subject, html, text, references = [], attachments, images } = message;
  return {
    from: { name: oneLine(senderName ?? sender.name), address: sender.address },
    to: to.map((address) => ({ name: '', address })),
    envelope: { from: sender.address, to: to.map((address) => ({ name: '', address })), size: mailBytes(message) },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: oneLine(subject),
    text,
    ...(html === null ? {} : { html }),
    messageId: `<${id}@${sender.domain}>`,
    ...(references.length === 0 ? {} : { references: references.map((one) => `<${one}@${sender.domain}>`) }),
    date,
    headers: HEADERS,
    attachments: [
      ...images.map((image) => ({ ...image, contentDisposition: 'inline' })),
      ...attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content: asContent(content) })),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What it takes as sent, at least: a server that takes less says so before. Content that is a stream is not counted. */
function mailBytes({ text, html, attachments, images }: Pick<Message, 'text' | 'html' | 'attachments' | 'images'>): number {
  const texts = Buffer.byteLength(text) + Buffer.byteLength(html ?? '');
  return [...attachments, ...images].reduce((sum, { content }) => sum + (Buffer.isBuffer(content) ? encodedBytes(content.byteLength) : 0), texts);
}

/** A header is one line; a shop's name may contain line breaks, and characters that reorder what is read. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim();
}

function asContent(content: MailAttachment['content']): Buffer | Readable {
  return Buffer.isBuffer(content) || content instanceof Readable ? content : Readable.from(content, { objectMode: false });
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

type File = { folder: string; mail: SendMailOptions; id: string; date: Date };

/** Writes a mail as "20261120T101533Z-<id>.eml", readable by its owner alone. It appears whole or not at all. Gives its path. */
async function writeEml({ folder, mail, id, date }: File): Promise<string> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const time = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  const path = join(folder, `${time}-${id}.eml`);
  const draft = `${path}.part`;
  try {
    const { createTransport } = await import('nodemailer');
    const { message } = await createTransport({ streamTransport: true, newline: 'windows' }).sendMail(mail);
    await pipeline(message, createWriteStream(draft, { mode: FILE_MODE, flush: true }));
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
  await syncDirectory(folder);
  return path;
}
