import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server received it. */
export type TakenMail = { from: string; to: string[]; text: string };

export type SmtpHandle = {
  url: string;
  taken: TakenMail[];
} & AsyncDisposable;

type Script = {
  /** Throws to refuse a recipient. */
  onRecipient?: (address: string) => void;
  /** Throws to refuse the mail itself. */
  onMail?: (mail: TakenMail) => void;
  options?: SMTPServerOptions;
};

/** A real mail server on 127.0.0.1 that takes everything the script does not refuse. Without TLS. */
export async function startSmtp({ onRecipient, onMail, options = {} }: Script = {}): Promise<SmtpHandle> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, callback) => callback(thrownBy(() => onRecipient?.(address))),
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString('utf8') };
        const refused = thrownBy(() => onMail?.(mail));
        if (refused === null) taken.push(mail);
        callback(refused);
      });
    },
    ...options,
  });
  // A broken connection is reported to the sender, too.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${address.port}`, taken, [Symbol.asyncDispose]: close };
}

function thrownBy(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

/** A refusal with a status of SMTP, as servers word it: with the address. */
export function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}
