import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SendMailOptions } from 'nodemailer';
import { syncDirectory } from '../data-dir.ts';
import { mayCarrySecrets } from '../may-carry-secrets.ts';
import { domainOf, plainAddress } from './mail-address.ts';
import { encodedBytes, type MailAttachment, type MailResult, type Message, type RefusedRecipient } from './mail-message.ts';

export type MailTransport = {
  /**
   * Tries once to send. `id` makes the Message-ID, so that a mail that arrives twice is recognized as one. Failures of the mail server are values;
   * it throws only for faults of ours: content that can't be read, a folder that can't be written.
   */
  send(message: Message, id: string): Promise<MailResult>;
  /** Can mails be sent? `ok` false if not; words for people either way, without passwords. */
  check(): Promise<{ ok: boolean; words: string }>;
};

type OpenTransport = { send(mail: Outgoing): Promise<MailResult>; check: MailTransport['check'] };

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

type KnownMailUrl = { given: string; address: string };

function asGiven({ accepted, refused, why, ...rest }: MailResult, known: readonly KnownMailUrl[], unusable: readonly string[]): MailResult {
  const given = (address: string) => known.filter((one) => one.address === address).map((one) => one.given);
  return {
    accepted: accepted.flatMap(given),
    refused: [
      ...refused.flatMap(({ address, permanent }) => given(address).map((one) => ({ address: one, permanent }))),
      ...unusable.map((address) => ({ address, permanent: true })),
    ],
    why: why ?? (unusable.length === 0 ? null : `${unusable.length} of ${known.length + unusable.length} recipients are no e-mail addresses`),
    ...rest,
  };
}

type Outgoing = { message: Message; to: readonly string[]; id: string; sender: Sender; date: Date };

function intoFiles(folder: string, now: () => Date): OpenTransport {
  return {
    async send(mail) {
      const path = await writeEml({ folder, mail: toMime(mail), id: mail.id, date: now() });
      return { accepted: mail.to, refused: [], why: null, path };
    },
    check: async () => ({ ok: true, words: `mails are put as .eml files into ${folder}, because SMTP_URL is unset` }),
  };
}

function bySmtp(url: string, { connect, silence, whole }: Timeouts, trusted: readonly string[]): OpenTransport {
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

// These headers keep out-of-office programs from answering.
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** A mail as nodemailer takes it. Addresses are objects, so nothing in them is read as a list of more. */
function toMime({ message, to, id, sender, date }: { message: Message; to: readonly string[]; id: string; sender: Sender; date: Date }): SendMailOptions {
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

/** Writes a mail as "20261120T101533Z-<id>.eml", readable by its owner alone. It appears whole or not at all. Gives its path. */
async function writeEml({ folder, mail, id, date }: { folder: string; mail: SendMailOptions; id: string; date: Date }): Promise<string> {
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

type SmtpError = { code: string; command: string; message: string; response: string; responseCode: number | null; rejected: readonly Refused[] };
type Refused = { recipient: string; responseCode: number | null; response: string };

/** The result for each address (in the form of `plainAddress`) of a try that threw. Servers quote addresses, so only their codes are passed on. */
function failedTry(thrown: unknown, to: readonly string[]): MailResult {
  const error = readError(thrown);
  if (error.rejected.length > 0) return { accepted: [], ...refusedOf(error.rejected, to), ...sizeOf(error.rejected) };
  const size = exceedsLimit(error) ? TOO_LARGE : sizeOf([error]);
  const permanent = 'tooLarge' in size || (error.command === 'DATA' && isPermanent(error.responseCode));
  return { accepted: [], refused: to.map((address) => ({ address, permanent })), why: wordsFor(error), ...size };
}

/** The result of a try that did not throw: which recipients the server took. */
function partialTry(info: unknown, to: readonly string[]): MailResult {
  const rejected = rejectedOf(info);
  if (rejected.length === 0) return { accepted: to, refused: [], why: null };
  const { refused, why } = refusedOf(rejected, to);
  const without = new Set(refused.map(({ address }) => address));
  return { accepted: to.filter((address) => !without.has(address)), refused, why };
}

const TOO_LARGE = { tooLarge: true } as const;
/** RFC 5321: beyond the storage that is granted. */
const SIZE_CODES: readonly (number | null)[] = [552, 523];
/** RFC 3463: the mailbox is full, the mail is longer than allowed there, or larger than the system takes. */
const SIZE_STATUS = /^5\d\d[ -]5\.(2\.2|2\.3|3\.4)\b/;

function sizeOf(refusals: readonly Pick<SmtpError, 'response' | 'responseCode'>[]): Pick<MailResult, 'tooLarge'> {
  return refusals.some(({ response, responseCode }) => SIZE_CODES.includes(responseCode) || SIZE_STATUS.test(response)) ? TOO_LARGE : {};
}

// The server said in its greeting what it takes, so that nothing was sent.
function exceedsLimit({ code, message }: SmtpError): boolean {
  return code === 'EMESSAGE' && message.startsWith('Message size larger than allowed');
}

// If the server names as many as there are, it refused the whole mail: recipients that it did not name got nothing either.
function refusedOf(rejected: readonly Refused[], to: readonly string[]): { refused: RefusedRecipient[]; why: string } {
  const isWhole = rejected.length >= to.length;
  const refused = to.flatMap((address) => {
    const one = rejected.find(({ recipient }) => recipient === address);
    return one === undefined && !isWhole ? [] : [{ address, permanent: isPermanent(one?.responseCode ?? null) }];
  });
  const codes = [...new Set(rejected.map(({ response, responseCode }) => statusOf(response, responseCode)))].join(', ');
  return { refused, why: `the mail server refused ${refused.length} of ${to.length} recipients (${codes})` };
}

const WORDS: Readonly<Record<string, string>> = {
  EAUTH: 'the mail server refused the user or password: check SMTP_URL',
  ENOAUTH: 'the mail server wants a user and password: put them into SMTP_URL',
  ETLS: 'no encrypted connection could be made: the mail server offers no TLS, or its certificate is not trusted; TRUSTED_HTTP_HOSTS may name one on a private network',
  EDNS: 'the name of the mail server was not found: check SMTP_URL',
  ETIMEDOUT: 'the mail server did not answer in time',
  EABORT: 'the mail server did not take the mail in time',
  ECONNECTION: 'the connection to the mail server broke, or could not be made',
  ESOCKET: 'the connection to the mail server broke, or could not be made',
  EPROTOCOL: 'the mail server answered something that is no SMTP',
};

function wordsFor(error: SmtpError): string {
  const { code, command, response, responseCode } = error;
  if (exceedsLimit(error)) return 'the mail is larger than the mail server takes';
  const status = statusOf(response, responseCode);
  const after = status === '' ? '' : ` (${status})`;
  const words = WORDS[code];
  if (words !== undefined) return `${words}${after}`;
  if (responseCode !== null) return `the mail server refused ${command === 'MAIL FROM' ? 'the sender: check MAIL_FROM' : 'the mail'}${after}`;
  return `the mail could not be sent${code === '' ? '' : ` (${code})`}`;
}

// "550 5.1.1 <ivan@…>: unknown" becomes "550 5.1.1".
function statusOf(response: string, responseCode: number | null): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0].replace('-', ' ') ?? (responseCode === null ? '' : String(responseCode));
}

function isPermanent(responseCode: number | null): boolean {
  return responseCode !== null && responseCode >= 500;
}

function readError(thrown: unknown): SmtpError {
  return {
    code: isDistrust(thrown) ? 'ETLS' : textOf(thrown, 'code'),
    command: textOf(thrown, 'command'),
    message: textOf(thrown, 'message'),
    response: textOf(thrown, 'response'),
    responseCode: numberOf(thrown, 'responseCode'),
    rejected: rejectedOf(thrown),
  };
}

// nodemailer reports an untrusted certificate like any broken socket; only the message differs.
function isDistrust(thrown: unknown): boolean {
  return textOf(thrown, 'code') === 'ESOCKET' && /certificate|altnames/i.test(textOf(thrown, 'message'));
}

function rejectedOf(carrier: unknown): Refused[] {
  const errors = fieldOf(carrier, 'rejectedErrors');
  if (!Array.isArray(errors)) return [];
  return errors.map((error: unknown) => ({
    recipient: textOf(error, 'recipient'),
    responseCode: numberOf(error, 'responseCode'),
    response: textOf(error, 'response'),
  }));
}

function fieldOf(carrier: unknown, name: string): unknown {
  return typeof carrier === 'object' && carrier !== null ? Reflect.get(carrier, name) : undefined;
}

function textOf(carrier: unknown, name: string): string {
  const value = fieldOf(carrier, name);
  return typeof value === 'string' ? value : '';
}

function numberOf(carrier: unknown, name: string): number | null {
  const value = fieldOf(carrier, name);
  return typeof value === 'number' ? value : null;
}
