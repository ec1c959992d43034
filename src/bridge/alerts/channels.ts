import { signedHeaders } from '../../contract/standard-webhook.ts';
import type { MailTransport } from '../../platform/mail/mail-transport.ts';
import type { Posted, PostJson } from '../post-json.ts';
import type { AlertBody, AlertMessage, ReportedCheck, ReportedIncident } from './alert.ts';
import { type AlertText, alertText, type WordsOptions } from './alert-text.ts';

/**
 * What a channel answered, in words without addresses and secrets. later: it may take the message another time, not before `afterMs` if that is
 * known. broken: it will not, until a person changes something.
 */
export type ChannelResult = { kind: 'sent'; words: string } | { kind: 'later'; why: string; afterMs: number | null } | { kind: 'broken'; why: string };

/** A way to tell somebody. */
export type Channel = {
  /** `mail`, `mail-2` …, `slack` or `webhook`; in the database, the log and metrics. */
  name: string;
  /** Where it leads, for the person who configured it: without the secret part of its address. */
  where: string;
  /** Tries once; never throws. */
  send(message: AlertMessage): Promise<ChannelResult>;
};

/** Each mail address is a channel of its own; `place`: from 0. */
export function mailChannelName(place: number): string {
  return place === 0 ? 'mail' : `mail-${place + 1}`;
}

type Options = WordsOptions & { name: string; to: string; transport: Pick<MailTransport, 'send'>; hasServer: boolean; onFault(err: unknown): void };

/** One address: each has a channel of its own, so that one that is refused holds up no other. */
export function mailChannel({ name, to, transport, hasServer, statusUrl, onFault }: Options): Channel {
  return {
    name,
    where: to,
    async send(message) {
      try {
        return mailedBy(await transport.send({ ...mailOf(message, { statusUrl }), to: [to] }, message.id), hasServer);
      } catch (thrown) {
        // A fault of ours, such as a folder that can't be written.
        onFault(thrown);
        return { kind: 'later', why: 'the mail could not be handed over; the log says why', afterMs: null };
      }
    },
  };
}

const IN_A_FILE = 'it is a file in DATA_DIR/outbox, which nobody gets: set SMTP_URL';

function mailedBy({ accepted, refused, why }: Awaited<ReturnType<MailTransport['send']>>, hasServer: boolean): ChannelResult {
  if (accepted.length > 0) return { kind: 'sent', words: hasServer ? 'the mail was handed over' : IN_A_FILE };
  const words = why ?? 'the mail server refused it';
  return refused.every(({ permanent }) => permanent) ? { kind: 'broken', why: words } : { kind: 'later', why: words, afterMs: null };
}

function mailOf({ body }: AlertMessage, options: WordsOptions) {
  const { subject, paragraphs } = alertText(body, options);
  const text = `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
  const references = body.what === 'alert' ? body.threads : [];
  return { replyTo: null, senderName: null, subject, html: null, text, references, attachments: [], images: [] };
}

const WORTH_RETRYING = new Set([408, 425, 429]);

/** What an answer means for the message. `said`: what a known service means by its body. */
function sentBy(posted: Posted, said: (text: string) => string = () => ''): ChannelResult {
  if (posted.status === null) return { kind: 'later', why: `no answer: ${posted.why}`, afterMs: null };
  const { status, text, retryAfterMs: afterMs } = posted;
  if (status === 0) return { kind: 'broken', why: text };
  if (status >= 200 && status < 300) return { kind: 'sent', words: `it answered ${status}` };
  const words = [`it answered ${status}`, said(text)].filter((part) => part !== '').join(' ');
  return status >= 500 || WORTH_RETRYING.has(status) ? { kind: 'later', why: words, afterMs } : { kind: 'broken', why: words };
}

/** Slack refuses longer texts, and more blocks than 50. */
const LONGEST_TEXT = 3_000;
const MOST_BLOCKS = 40;

/** An incoming webhook of Slack, or of a chat that takes the same body. */
export function slackChannel({ url, post, statusUrl }: WordsOptions & { url: string; post: PostJson }): Channel {
  return {
    name: 'slack',
    where: new URL(url).host,
    send: async ({ body }) => sentBy(await post({ url, body: JSON.stringify(slackBody(alertText(body, { statusUrl }))) }), slackWord),
  };
}

// "no_service", "channel_is_archived": all else may be a page.
function slackWord(text: string): string {
  return /^[a-z_]{2,60}$/.test(text.trim()) ? `(${text.trim()})` : '';
}

/** `text` is what notifications and other chats show. */
export function slackBody({ subject, paragraphs }: AlertText): { text: string; blocks: { type: 'section'; text: { type: 'mrkdwn'; text: string } }[] } {
  const texts = [`*${escaped(subject)}*`, ...paragraphs.map((lines) => escaped(lines.join('\n')))];
  const shown = joined(texts).slice(0, MOST_BLOCKS);
  return { text: escaped(subject).slice(0, LONGEST_TEXT), blocks: shown.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })) };
}

// As few blocks as hold them.
function joined(texts: readonly string[]): string[] {
  const blocks: string[] = [];
  for (const text of texts.map((one) => (one.length > LONGEST_TEXT ? `${one.slice(0, LONGEST_TEXT - 1)}…` : one))) {
    const last = blocks.at(-1);
    const both = `${last}\n${text}`;
    if (last !== undefined && both.length <= LONGEST_TEXT) blocks[blocks.length - 1] = both;
    else blocks.push(text);
  }
  return blocks;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** A program that takes Standard Webhooks: `alert.raised`, `alert.resolved`, `alert.digest`, `alert.test`. */
export function webhookChannel({ url, secret, post, now, statusUrl }: WordsOptions & { url: string; secret: string; post: PostJson; now(): number }): Channel {
  return {
    name: 'webhook',
    where: new URL(url).host,
    async send(message) {
      const body = JSON.stringify(webhookBody(message, { statusUrl }));
      const headers = signedHeaders(secret, { id: message.id, seconds: Math.floor(now() / 1000), body });
      return sentBy(await post({ url, body, headers }));
    },
  };
}

/** `data.text` is for receivers that only pass it on to people. */
function webhookBody({ kind, body }: AlertMessage, options: WordsOptions): Record<string, unknown> {
  const { subject, paragraphs } = alertText(body, options);
  const text = paragraphs.map((lines) => lines.join('\n')).join('\n\n');
  return { type: `alert.${kind}`, timestamp: body.at, data: { title: subject, text, ...dataOf(body) } };
}

function dataOf(body: AlertBody): Record<string, unknown> {
  switch (body.what) {
    case 'alert': {
      const of = (incidents: readonly ReportedIncident[], state: string) =>
        incidents.map((incident) => ({ ...shown(incident), state, ended: incident.endedAt }));
      const incidents = [...of(body.raised, 'raised'), ...of(body.still, 'still'), ...of(body.resolved, 'resolved')];
      return { health: body.health, incidents };
    }
    case 'digest':
      return { health: body.health, day: body.day, counts: body.counts, incidents: body.failedChecks.map(shown) };
    case 'test':
      return {};
  }
}

function shown({ subject, verb, ...check }: ReportedCheck): Record<string, unknown> {
  const { code, level, count, total, since, words, stores = null } = check;
  return { code, subject: subject === '' ? null : subject, level, stores, count, total, since, words, command: verb === null ? null : `orderbridge ${verb}` };
}
