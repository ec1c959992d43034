import { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { encodedBytes, type MailAttachment, type Message } from './mail-message.ts';

/** The sender of mails: the service's own address and name. */
export type Sender = { name: string; address: string; domain: string };

type Outgoing = { message: Message; to: readonly string[]; id: string; sender: Sender; date: Date };

// These headers keep out-of-office programs from answering.
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** A mail as nodemailer takes it. Addresses are objects, so nothing in them is read as a list of more. */
export function toMime({ message, to, id, sender, date }: Outgoing): SendMailOptions {
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
