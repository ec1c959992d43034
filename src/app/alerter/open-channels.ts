import { join } from 'node:path';
import { type Channel, mailChannelName } from '../../bridge/alerts/channel.ts';
import { mailChannel } from '../../bridge/alerts/mail-channel.ts';
import { createPostAlert, type PostAlert } from '../../bridge/alerts/post-alert.ts';
import { slackChannel } from '../../bridge/alerts/slack-channel.ts';
import { webhookChannel } from '../../bridge/alerts/webhook-channel.ts';
import type { AlertConfig, Config } from '../../config/config.ts';
import { openMailTransport } from '../../platform/mail/mail-transport.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';

/** An alert that takes longer is tried again. */
const MAIL_TIMEOUTS = { connect: 10_000, silence: 20_000, whole: 60_000 };

export const NO_ALERTS: AlertConfig = { mailTo: [], slackUrl: null, webhook: null, heartbeatUrl: null, digestAt: null };

/** How addresses of the configuration are called. */
export function openPost({ trustedHttpHosts }: Pick<Config, 'trustedHttpHosts'>): PostAlert {
  return createPostAlert({ whyInsecure: (address) => insecureWords(address, trustedHttpHosts) });
}

/** Every channel that the configuration names. `onFault`: a fault of ours, for the log. */
export function openChannels(config: Config, onFault: (err: unknown) => void): Channel[] {
  const { mailTo, slackUrl, webhook } = config.alerts ?? NO_ALERTS;
  const post = openPost(config);
  const statusUrl = config.publicUrl === null ? null : `${config.publicUrl}/status`;
  return [
    ...mailChannels(config, mailTo, { statusUrl, onFault }),
    ...(slackUrl === null ? [] : [slackChannel({ url: slackUrl.reveal(), post, statusUrl })]),
    ...(webhook === null ? [] : [webhookChannel({ url: webhook.url.reveal(), secret: webhook.secret.reveal(), post, now: Date.now, statusUrl })]),
  ];
}

type MailOptions = { statusUrl: string | null; onFault: (err: unknown) => void };

function mailChannels({ mail, dataDir, trustedHttpHosts }: Config, mailTo: readonly string[], options: MailOptions): Channel[] {
  const where = { smtpUrl: mail.smtpUrl?.reveal() ?? null, from: mail.from, outboxDir: join(dataDir, 'outbox') };
  const transport = openMailTransport({ ...where, trustedHttpHosts, timeouts: MAIL_TIMEOUTS });
  return mailTo.map((to, i) => mailChannel({ name: mailChannelName(i), to, transport, hasServer: mail.smtpUrl !== null, ...options }));
}
