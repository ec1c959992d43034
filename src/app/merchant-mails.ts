import { join } from 'node:path';
import { merchantMailed, merchantMailFault, merchantMailTried } from '../bridge/alerts/alert-events.ts';
import { mailMerchants, merchantMails as outbox, pruneMerchants } from '../bridge/ledger/alerts/merchant-incidents.ts';
import { merchantMails } from '../operations/onboarding/merchant-mail.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import { openMailTransport } from '../platform/mail/mail-transport.ts';
import type { Core } from './core.ts';

type MailsOptions = { core: Pick<Core, 'config' | 'log' | 'pool' | 'connections'>; publicUrl: string | null; now: () => Date };

const MAILS_AT_ONCE = 100;

/** Looks for what merchants must do, and sends the mails that are due: none without PUBLIC_URL, since they are of no use without their link. Then it tidies up. */
export function merchantMailer({ core: { config, log, pool, connections }, publicUrl, now }: MailsOptions): () => Promise<void> {
  const { mail, dataDir, trustedHttpHosts, keepDays } = config;
  const prune = () => pruneMerchants(pool, { days: keepDays.outbox, now: now() });
  if (publicUrl === null) return prune;
  const builders = merchantMails({ pool, connections, publicUrl, replyTo: mail.replyTo ?? null });
  const transport = openMailTransport({ smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, 'outbox'), trustedHttpHosts });
  const mailer = createMailer({ pool, outbox, transport, builders, report: merchantMailFault(log), now });
  return async () => {
    for (const told of await mailMerchants(pool, now())) merchantMailed(log, told);
    for (const id of await mailer.due(MAILS_AT_ONCE)) merchantMailTried(log, id, await mailer.send(id));
    await prune();
  };
}
