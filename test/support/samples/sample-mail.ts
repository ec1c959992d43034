import type { Message } from '../../../src/platform/mail/mail-message.ts';
import { openMailTransport } from '../../../src/platform/mail/mail-transport.ts';

export const id = '0d9a4ac6-0f0f-4bd4-8b52-0a4b1f6f2a51';
// Long enough for a machine that is ten times as slow.
const quick = { connect: 5_000, silence: 5_000, whole: 20_000 };

/** A mail to Ivan with a picture in it. */
export function mail(changes: Partial<Message> = {}): Message {
  return {
    to: ['ivan@buyer.example'],
    replyTo: 'shop@cups.example',
    senderName: 'Чаши',
    subject: 'Документ № 0000000123',
    html: '<p>Чаши</p><img src="cid:qr@receipt">',
    text: 'Чаши',
    attachments: [],
    images: [{ cid: 'qr@receipt', filename: 'qr.gif', contentType: 'image/gif', content: Buffer.from('GIF89a') }],
    ...changes,
  };
}

/** A transport that waits for no server longer than a test may take. */
export function transportTo(smtpUrl: string | null, outboxDir = '/nowhere', trustedHttpHosts: readonly string[] = []) {
  return openMailTransport({
    smtpUrl,
    from: 'Касови бележки <receipts@service.example>',
    outboxDir,
    trustedHttpHosts,
    timeouts: quick,
    now: () => new Date('2026-11-20T10:15:33Z'),
  });
}

/** Content that comes in two parts. */
export async function* bytes() {
  yield Buffer.from('номер;');
  yield Buffer.from('сума');
}
