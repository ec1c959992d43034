import { z } from 'zod';
import type { Connection } from '../../bridge/connections/connection.ts';
import { MERCHANT_CAUSES, MERCHANT_MAIL, type MerchantCause } from '../../bridge/ledger/merchant-troubles.ts';
import { findOnboarding } from '../../bridge/ledger/onboarding-store.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { Letter, MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { connectAddress } from './connect-address.ts';
import { merchantMailWords } from './merchant-mail-words.ts';
import { newOnboardingLink, type Step } from './onboarding.ts';

type Deps = { pool: Pool; connections: { find(id: string): Promise<Connection | null> }; publicUrl: string; replyTo: string | null };

const ref = z.object({ onboarding: z.string(), connectionId: z.string(), cause: z.enum(MERCHANT_CAUSES) });

/** The one step that mends it. */
const STEP_OF = { key: 'store', scope: 'store', webhooks: 'webhooks', mapping: 'mapping' } as const satisfies Record<MerchantCause, Step>;

const LINK_DAYS = 14;

/** How mails to merchants are written: in his language, with a link to the one step that mends it. None to whoever was not asked for his address, or has left. */
export function merchantMails(deps: Deps): Record<string, MailBuilder> {
  return { [MERCHANT_MAIL]: (given) => letter(deps, ref.parse(given)) };
}

async function letter(deps: Deps, { onboarding: id, connectionId, cause }: z.output<typeof ref>): Promise<Letter | null> {
  const [onboarding, connection] = await Promise.all([findOnboarding(deps.pool, id), deps.connections.find(connectionId)]);
  if (onboarding === null || onboarding.revokedAt !== null || onboarding.email === null) return null;
  if (connection === null || connection.closedAt !== null) return null;
  // Of a link its hash alone is kept: each try has one of its own.
  const write = async (): Promise<Message> => {
    const token = await newOnboardingLink(deps, onboarding, { scope: { kind: 'step', step: STEP_OF[cause] }, days: LINK_DAYS });
    const mail = merchantMailWords(onboarding.lang)[cause]({ store: connection.name, link: connectAddress(deps.publicUrl, token) });
    return { ...mail, to: [], replyTo: deps.replyTo, senderName: null, html: null, attachments: [], images: [] };
  };
  return { to: [onboarding.email], write };
}
