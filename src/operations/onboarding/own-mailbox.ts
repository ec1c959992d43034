import { emailAddress } from '../../contract/email-address.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type Onboarding, saveNewest } from './onboarding.ts';

/** Where the merchant is mailed what only he can put right: where he was invited, or else as he typed it; null: nowhere. */
export function mailboxOf({ email, mailTo }: Pick<Onboarding, 'email' | 'mailTo'>): string | null {
  return email ?? mailTo;
}

/** Is it the one to which he was invited, and not as he typed it, unchecked, which may be somebody else’s? */
export function isCheckedMailbox({ email }: Pick<Onboarding, 'email'>): boolean {
  return email !== null;
}

/** Is he asked where he wants mails? Whoever was invited by a mailbox is not. */
export function isAskedForMailbox({ email }: Pick<Onboarding, 'email'>): boolean {
  return email === null;
}

/** Nothing is typed, or an address of e-mail. */
export function isTypedMailbox(typed: string): boolean {
  return typed === '' || emailAddress.safeParse(typed).success;
}

/** What is kept of it; nothing, if he was not asked. It has no say in who he is, such as which shops he may choose. */
export function mailboxSaid(onboarding: Pick<Onboarding, 'email'>, typed: string): { mailTo?: string | null } {
  return isAskedForMailbox(onboarding) ? { mailTo: typed === '' ? null : typed } : {};
}

/** Keeps it; false: it is no address of e-mail. */
export async function keepMailbox(deps: { pool: Pool }, id: string, typed: string): Promise<boolean> {
  if (!isTypedMailbox(typed)) return false;
  await saveNewest(deps, id, (newest) => mailboxSaid(newest, typed));
  return true;
}
