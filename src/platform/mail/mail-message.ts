import type { Readable } from 'node:stream';

export type MailAttachment = { filename: string; contentType: string; content: Buffer | Readable | AsyncIterable<Uint8Array> };

/** A picture within the HTML, which shows it as `<img src="cid:…">`. */
export type MailImage = { cid: string; filename: string; contentType: string; content: Buffer };

/** A mail to be sent. Each of `to` is one plain address; `senderName` is shown with the service's own address. */
export type Message = {
  to: readonly string[];
  replyTo: string | null;
  senderName: string | null;
  subject: string;
  /** Null: it is plain text. */
  html: string | null;
  text: string;
  /** Ids of the mails that it belongs to; programs show them together. */
  references?: readonly string[];
  attachments: readonly MailAttachment[];
  images: readonly MailImage[];
};

/** A recipient that the mail server refused. */
export type RefusedRecipient = { address: string; permanent: boolean };

/**
 * The result of a try. `accepted` has the addresses that got it; `refused` those that did not. `why` is for people, without addresses and secrets;
 * null if all went well. A try that failed as a whole refuses every address: for now (`permanent` false), or for good. `tooLarge`: a smaller mail may be taken. `path`: of the
 * file that it became, as there is no mail server.
 */
export type MailResult = { accepted: readonly string[]; refused: readonly RefusedRecipient[]; why: string | null; tooLarge?: true; path?: string };

/** What so many bytes take in a mail: base64, in lines of 76 characters. */
export function encodedBytes(bytes: number): number {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / 76) * 2;
}
