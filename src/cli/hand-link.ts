import { mailLink } from '../app/mail-link.ts';
import { webhookBase } from '../app/webhook-base.ts';
import type { Config } from '../config/config.ts';
import { connectAddress } from '../operations/onboarding/connect-address.ts';
import type { Invitation } from '../operations/onboarding/invitations.ts';
import { merchantMailWords } from '../operations/onboarding/merchant-mail-words.ts';
import type { CliContext } from '../platform/terminal/context.ts';
import { note, printJson, printLines } from '../platform/terminal/print.ts';

/** `words`: above the link. */
type Handed = Pick<Invitation, 'id' | 'email' | 'lang'> & { token: string; words: string; json?: true | undefined };

/** Says that others have the company, too. */
export function noteOthers(context: CliContext, others: readonly string[]): void {
  if (others.length > 0) note(context, `Others have this company, too, and share its document numbers: ${others.join(', ')}.`);
}

/** Prints a merchant's link, which is shown this once, and mails it if that can be. */
export async function handLink(context: CliContext, config: Config, { id, email, lang, token, words, json }: Handed): Promise<void> {
  const link = connectAddress(await webhookBase(config), token);
  const unsent = email === null ? undefined : await mailLink(config, { to: email, ...merchantMailWords(lang).invited(link) });
  if (json) printJson(context, { id, link, mailed: unsent === null });
  else printLines(context, [words, link]);
  if (config.console === false) note(context, 'CONSOLE is off here: no process with this setting serves /connect, where the link leads.');
  if (email !== null)
    note(
      context,
      unsent === null
        ? 'It was mailed to him.'
        : unsent === undefined
          ? 'It was not mailed: for that SMTP_URL and PUBLIC_URL must be set. Send it to him yourself.'
          : `It could not be mailed (${unsent}). Send it to him yourself.`,
    );
}
