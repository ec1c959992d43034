import type { MailTransport } from '../../platform/mail/mail-transport.ts';
import type { AlertMessage } from './alert.ts';
import { alertText, type WordsOptions } from './alert-words.ts';
import type { Channel, Sent } from './channel.ts';

type Options = WordsOptions & { name: string; to: string; transport: Pick<MailTransport, 'send'>; hasServer: boolean; onFault(err: unknown): void };

/** One address: each has a channel of its own, so that one that is refused holds up no other. */
export function mailChannel({ name, to, transport, hasServer, statusUrl, onFault }: Options): Channel {
  return {
    name,
    where: to,
    async send(message) {
      try {
        return sentBy(await transport.send({ ...mailOf(message, { statusUrl }), to: [to] }, message.id), hasServer);
      } catch (thrown) {
        // A fault of ours, such as a folder that can't be written.
        onFault(thrown);
        return { kind: 'later', why: 'the mail could not be handed over; the log says why', afterMs: null };
      }
    },
  };
}

const IN_A_FILE = 'it is a file in DATA_DIR/outbox, which nobody gets: set SMTP_URL';

function sentBy({ accepted, refused, why }: Awaited<ReturnType<MailTransport['send']>>, hasServer: boolean): Sent {
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
