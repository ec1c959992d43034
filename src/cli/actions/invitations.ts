import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { webhookBase } from '../../app/addresses.ts';
import { openComplianceAccess, openComplianceClient } from '../../app/compliance-api.ts';
import type { Core } from '../../app/core.ts';
import type { Config } from '../../config/config.ts';
import type { Lang } from '../../contract/said.ts';
import { decideCompany, nothingWaits } from '../../operations/onboarding/confirm-company.ts';
import {
  endLinksOf,
  type Invitation,
  inviteMerchant,
  knownInvitation,
  listInvitations,
  renewInvitation,
  revokeInvitation,
  settleShop,
} from '../../operations/onboarding/invitations.ts';
import { connectAddress, merchantMailWords } from '../../operations/onboarding/merchant-mail.ts';
import { openMailTransport } from '../../platform/mail/mail-transport.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { withCore } from '../with-core.ts';

export type Json = { json?: true };
export type Revoking = { links?: string; why?: string };
export type Deciding = { confirm?: true; refuse?: true; why?: string };
export type Settling = { is?: string; none?: true };

export async function decide(context: CliContext, { pool }: Core, { id, confirm, refuse, why }: Deciding & { id: string }): Promise<void> {
  if (confirm !== true && refuse !== true) throw new CliError('say --confirm or --refuse');
  const { waits } = await knownInvitation({ pool }, id);
  if (waits === null) throw nothingWaits();
  const { company, others } = waits;
  await decideCompany({ pool }, { id, company, isTheirs: confirm === true, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [
    confirm === true
      ? `The company ${company} is confirmed; the merchant can go on.`
      : `The company ${company} is not confirmed; no shop is made, and the merchant may name another.`,
  ]);
  if (confirm === true) noteOthers(context, others);
}

export async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const all = await listInvitations({ pool });
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['No merchant was invited yet: `orderbridge invite` prints a link.']);
  const rows = all.map(({ id, email, state, waits, done, connectionId, expiresAt, links, createdAt }) => [
    id,
    email,
    state,
    waits === null ? null : [waits.company, ...waits.others].join(' '),
    done.join(' '),
    connectionId,
    localTime(createdAt),
    state === 'open' ? localTime(expiresAt) : null,
    links.map((link) => link.scope).join(' '),
  ]);
  printTable(context, {
    header: ['invitation', 'email', 'state', 'company waits', 'steps', 'connection', 'made', 'until', 'links'],
    rows,
    give: ['steps', 'links'],
    keep: ['invitation'],
  });
}

export async function renew(context: CliContext, { pool, config }: Core, { id, json }: Json & { id: string }): Promise<void> {
  const { token, invitation } = await renewInvitation({ pool }, { id, by: cliActor() });
  await handLink(context, config, { ...invitation, token, words: 'Their new link; those before open nothing any more:', json });
}

export async function revoke(context: CliContext, { pool }: Core, { id, links, why }: Revoking & { id: string }): Promise<void> {
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  if (links === undefined) await revokeInvitation({ pool }, { id, ...said });
  else if ((await endLinksOf({ pool }, { id, scopes: [links], ...said })) === 0) throw new CliError('no such link of this invitation opens anything');
  printLines(context, ['These links open nothing any more.']);
}

export async function settle(context: CliContext, core: Core, { id, is, none }: Settling & { id: string }): Promise<void> {
  if (is === undefined && none !== true) throw new CliError('say which with --is UUID, or --none');
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  await settleShop({ pool: core.pool, connections: core.connections, compliance, client }, { id, shopId: is ?? null, by: cliActor() });
  printLines(context, ['The merchant can go on.']);
}

export type Options = { email?: string; shop?: string; company?: string; app?: string; lang?: Lang; json?: true };

export async function invite(context: CliContext, { email, shop, company, app, lang, json }: Options): Promise<void> {
  await withCore(context, async (core) => {
    await using compliance = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
    const given = { email: email ?? null, lang: lang ?? null };
    const wanted = { shopId: shop ?? null, company: company ?? null, app: app ?? null, by: cliActor() };
    const { id, token, others } = await inviteMerchant(deps, { ...given, ...wanted });
    noteOthers(context, others);
    await handLink(context, core.config, { id, token, ...given, words: `The merchant connects a store here, within 14 days (invitation ${id}):`, json });
  });
}

/** `words`: above the link. */
type Handed = Pick<Invitation, 'id' | 'email' | 'lang'> & { token: string; words: string; json?: true | undefined };

/** Says that others have the company, too. */
function noteOthers(context: CliContext, others: readonly string[]): void {
  if (others.length > 0) note(context, `Others have this company, too, and share its document numbers: ${others.join(', ')}.`);
}

/** Prints a merchant's link, which is shown this once, and mails it if that can be. */
async function handLink(context: CliContext, config: Config, { id, email, lang, token, words, json }: Handed): Promise<void> {
  const link = connectAddress(await webhookBase(config), token);
  const unsent = email === null ? undefined : await mailLink(config, { to: email, ...merchantMailWords(lang).invited(link) });
  if (json) printJson(context, { id, link, mailed: unsent === null });
  else printLines(context, [words, link]);
  if (config.console === false) note(context, 'CONSOLE is off here: no process with this setting serves /connect, where the link leads.');
  if (email !== null)
    note(
      context,
      unsent === null
        ? 'It was mailed to them.'
        : unsent === undefined
          ? 'It was not mailed: for that SMTP_URL and PUBLIC_URL must be set. Send it to them yourself.'
          : `It could not be mailed (${unsent}). Send it to them yourself.`,
    );
}

const TIMEOUTS = { connect: 10_000, silence: 20_000, whole: 30_000 };

type Mail = { to: string; subject: string; text: string };

/** Mails a link now, while somebody waits. Returns why it did not go; null: it went. Undefined: there is no mail server, or no address that a mail could name. */
async function mailLink({ mail, publicUrl, dataDir, trustedHttpHosts }: Config, { to, ...content }: Mail): Promise<string | null | undefined> {
  if (mail.smtpUrl === null || publicUrl === null) return undefined;
  const where = { smtpUrl: mail.smtpUrl.reveal(), from: mail.from, outboxDir: join(dataDir, 'outbox') };
  const transport = openMailTransport({ ...where, trustedHttpHosts, timeouts: TIMEOUTS });
  const message = { ...content, to: [to], replyTo: mail.replyTo ?? null, senderName: null, html: null, attachments: [], images: [] };
  return (await transport.send(message, randomUUID())).why;
}
