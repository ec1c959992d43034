import { z } from 'zod';
import type { Connection } from '../../bridge/connections/connection.ts';
import { MERCHANT_CAUSES, MERCHANT_MAIL, type MerchantCause } from '../../bridge/ledger/merchant-incidents.ts';
import { findOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { Letter, MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { connectAddress } from './connect-address.ts';
import { merchantMailWords } from './merchant-mail-words.ts';
import { type LinkScope, newOnboardingLink, type Step } from './onboarding.ts';
import { isCheckedMailbox, mailboxOf } from './own-mailbox.ts';
import { onboardingOf } from './store-means.ts';

type Deps = { pool: Pool; connections: { find(id: string): Promise<Connection | null> }; publicUrl: string; replyTo: string | null };

const ref = z.object({ onboarding: z.string(), connectionId: z.string(), cause: z.enum(MERCHANT_CAUSES) });

/** What he mends elsewhere: no link is needed for that. */
const ELSEWHERE = ['frozen', 'locked', 'blocked'] as const satisfies readonly MerchantCause[];
type Elsewhere = (typeof ELSEWHERE)[number];

/** The one step that mends it. */
const MENDS: Readonly<Record<Exclude<MerchantCause, Elsewhere>, Step>> = { key: 'store', scope: 'store', webhooks: 'webhooks', mapping: 'mapping' };

const LINK_DAYS = 14;

/**
 * How mails to merchants are written: in his language, with a link to the one step that mends it; where he mends it elsewhere, to how his store does, if that
 * is his mailbox for sure. None to whoever gave no address, or has left.
 */
export function merchantMails(deps: Deps): Record<string, MailBuilder> {
  return { [MERCHANT_MAIL]: (given) => letter(deps, ref.parse(given)) };
}

async function letter(deps: Deps, { onboarding: id, connectionId, cause }: z.output<typeof ref>): Promise<Letter | null> {
  const [onboarding, connection] = await Promise.all([findOnboarding(deps.pool, id), deps.connections.find(connectionId)]);
  const mailbox = onboarding === null ? null : mailboxOf(onboarding);
  if (onboarding === null || onboarding.revokedAt !== null || mailbox === null) return null;
  if (connection === null || connection.closedAt !== null) return null;
  // Of a link its hash alone is kept: each try has one of its own.
  const write = async (): Promise<Message> => {
    const link = async (scope: LinkScope) => connectAddress(deps.publicUrl, await newOnboardingLink(deps, onboarding, { scope, days: LINK_DAYS }));
    const { name, platform } = connection;
    const about = { store: name, platform: onboardingOf(platform)?.title ?? platform };
    const words = merchantMailWords(onboarding.lang);
    const mail = isElsewhere(cause)
      ? words[cause]({ ...about, link: isCheckedMailbox(onboarding) ? await link({ kind: 'status' }) : null })
      : words[cause]({ ...about, link: await link({ kind: 'step', step: MENDS[cause] }) });
    return { ...mail, to: [], replyTo: deps.replyTo, senderName: null, html: null, attachments: [], images: [] };
  };
  return { to: [mailbox], write };
}

function isElsewhere(cause: MerchantCause): cause is Elsewhere {
  return ELSEWHERE.some((one) => one === cause);
}
