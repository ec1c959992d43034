import { createLog } from '../../../src/platform/log.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { mailReport } from '../../../src/service/service-events.ts';
import { transportTo } from '../samples/sample-mail.ts';
import { startComplianceServer } from '../servers/compliance-server.ts';
import { startPostgres } from '../servers/postgres.ts';
import { refusal, startSmtp } from '../servers/smtp-server.ts';
import { callerOf, orderDto, shopDto } from './compliance-caller.ts';
import { mailJobs, passForJobs } from './mail-jobs.ts';
import { readerOf } from './reader.ts';
import { sharingKey } from './sharing-key.ts';

/** Our service over HTTP, on a clock that stands still until it is moved, with a mail server that takes everything. */
export async function startReceiptWorld(begin: string) {
  const postgres = await startPostgres();
  let now = new Date(begin);
  let sentAt = now;
  const server = await startComplianceServer({ databaseUrl: postgres.url, now: () => now });
  let refusesWith: number | null = null;
  const smtp = await startSmtp({
    onRecipient: () => {
      if (refusesWith !== null) throw refusal(refusesWith, 'not now, or never');
    },
  });
  const log = createLog({ level: 'info', name: 'test', destination: { write: () => undefined } });
  const mailer = mailJobs({
    pool: server.pool,
    outbox: shopMails,
    transport: transportTo(smtp.url),
    builders: server.service.mails,
    report: mailReport(log),
    now: () => now,
  });
  return {
    server,
    smtp,
    /** What the mail server answers to every recipient from now on; null: it takes everything. */
    refuse(code: number | null) {
      refusesWith = code;
    },
    now: () => now,
    /** Moves the clock. */
    later(minutes: number) {
      now = new Date(now.getTime() + minutes * 60_000);
    },
    at(time: string) {
      now = new Date(time);
    },
    /** Sends what is due; returns the subjects and recipients that the mail server took, decoded. */
    async sent(): Promise<{ to: readonly string[]; text: string }[]> {
      smtp.taken.length = 0;
      await passForJobs(server.pool, (now.getTime() - sentAt.getTime()) / 60_000);
      sentAt = now;
      for (const id of await mailer.due(100)) await mailer.send(id);
      return smtp.taken.map(({ to, text }) => ({ to, text: plainText(text) }));
    },
    /** A key with a shop; `options` are those of PATCH. */
    async shop(options: Record<string, unknown> | null = null, changes: Record<string, unknown> = {}) {
      const key = await sharingKey(server, { multiShop: true }, shopDto(changes).companyUic);
      const call = callerOf(server.baseUrl, key);
      const extend = callerOf(server.baseUrl, key, '/service/v1');
      const shopId = String((await call('POST', '/shop', { body: shopDto(changes) })).body['id']);
      if (options !== null) await extend('PATCH', `/shops/${shopId}`, { body: options });
      const order = async (more: Record<string, unknown> = {}) => (await call('POST', '/order', { body: orderDto(shopId, more) })).body;
      return { keyId: key.id, call, extend, read: readerOf(server.baseUrl, key), shopId, order };
    },
    async [Symbol.asyncDispose]() {
      await smtp[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

export type ReceiptWorld = Awaited<ReturnType<typeof startReceiptWorld>>;

/** Subject and plain text of a mail, as a reader sees them. */
function plainText(mail: string): string {
  const subject = /^Subject: ([\s\S]*?)\r?\n(?! )/m.exec(mail)?.[1] ?? '';
  const words = subject.replace(/\?=\s+=\?/g, '?==?').replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_, how: string, text: string) => {
    return how.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : quoted(text.replaceAll('_', ' '));
  });
  const [, encoding, body = ''] = /Content-Type: text\/plain[\s\S]*?Content-Transfer-Encoding: (\S+)[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n--/.exec(mail) ?? [];
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : quoted(body.replace(/=\r?\n/g, ''));
  return `${words}\n${text}`.replace(/\s+/g, ' ');
}

function quoted(text: string): string {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
}
