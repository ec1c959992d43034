import { Command, InvalidArgumentError, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Config } from '../../config/config.ts';
import { LANGS, type Lang } from '../../contract/messages.ts';
import type { Invitation } from '../../operations/onboarding/invitations.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const INVITATION = ['<invitation>', 'its id, from `orderbridge invitations list`'] as const;

export function invitationsCommand(context: CliContext): Command {
  const invitations = new Command('invitations').description('Links by which merchants connect their stores, and see how they do.');
  invitations
    .command('list')
    .summary('list whom a link lets connect a store')
    .description('Lists the invitations, the newest first: how far each merchant is, until when their link works, and the links that open something.')
    .option('--json', 'print JSON: an array of invitations')
    .action((options: Json) => withCore(context, (core) => list(context, core, options)));
  invitations
    .command('link')
    .argument(...INVITATION)
    .summary('make a new link, and end those before')
    .description(
      'Prints a new link for a merchant, for 14 days, which ends all before it, those to one step too, and mails it if their address is known and there is a mail server. ' +
        'Once recording began, it leads to the store’s status page, and has no end.',
    )
    .option('--json', 'print JSON: id, link, mailed')
    .action((id: string, options: Json) => withCore(context, (core) => renew(context, core, { id, ...options })));
  invitations
    .command('revoke')
    .argument(...INVITATION)
    .summary('end every link of a merchant; what it connected stays')
    .description('Ends every link of a merchant. What it connected stays connected; `orderbridge disconnect` ends that.')
    .addOption(new Option('--links <scope>', 'end only these: all (the whole way), status, or step:NAME').argParser(scope))
    .addOption(whyOption())
    .action((id: string, options: Revoking) => withCore(context, (core) => revoke(context, core, { id, ...options })));
  invitations.addCommand(shopCommand(context));
  invitations.addCommand(companyCommand(context));
  return invitations;
}

function shopCommand(context: CliContext): Command {
  return new Command('shop')
    .argument(...INVITATION)
    .summary('say whether the service made a merchant’s shop, after its answer was lost')
    .description(
      'A compliance service that honours no Idempotency-Key is called for a shop once. If its answer was lost, look there whether it made the shop, and say it here; then the merchant goes on.',
    )
    .addOption(new Option('--is <uuid>', 'it made this shop').conflicts('none'))
    .option('--none', 'it made none, and may be called again')
    .action((id: string, options: MadeShopOptions) => withCore(context, (core) => nameMade(context, core, { id, ...options })));
}

function companyCommand(context: CliContext): Command {
  return new Command('company')
    .argument(...INVITATION)
    .summary('say whether the company that a merchant named is theirs')
    .description(
      'A merchant whose invitation names no company makes a shop only of one that is confirmed, by their mailbox or here. `orderbridge invitations list` shows whose ' +
        'company waits, and who else has it: a merchant who is confirmed, too, gets document numbers of the same sequence.',
    )
    .addOption(new Option('--confirm', 'it is theirs').conflicts('refuse'))
    .option('--refuse', 'it is not: no shop is made')
    .addOption(whyOption())
    .action((id: string, options: Deciding) => withCore(context, (core) => decide(context, core, { id, ...options })));
}

function scope(text: string): string {
  if (!/^(all|status|step:[a-z]+)$/.test(text)) throw new InvalidArgumentError('It must be all, status, or step:NAME.');
  return text;
}

export function inviteCommand(context: CliContext): Command {
  return new Command('invite')
    .summary('let a merchant connect a store by a link')
    .description(
      'Prints a link by which one merchant connects one store, within 14 days: they can stop and come back. ' +
        'It is shown once, and only its hash is kept; `orderbridge invitations link` makes another. The server must serve the console (roles console and all).',
    )
    .option('--email <address>', 'where the merchant is mailed the link, if there is a mail server, and later what only they can do')
    .option('--shop <uuid>', 'id of their shop at the compliance service; without it they make one')
    .addOption(
      new Option('--company <uic>', 'number (ЕИК) of their company, of which they make a shop; without it they name it, and it must be confirmed').conflicts(
        'shop',
      ),
    )
    .option('--app <app>', 'which app they approve at their store; needed where there are several for one merchant each')
    .addOption(new Option('--lang <lang>', 'language of their pages and mails; without it as their browser asks, and mails are Bulgarian').choices([...LANGS]))
    .option('--json', 'print JSON: id, link, mailed')
    .action((options: Options) => invite(context, options));
}

type Json = { json?: true };

type Revoking = { links?: string; why?: string };

type Deciding = { confirm?: true; refuse?: true; why?: string };

type MadeShopOptions = { is?: string; none?: true };

async function decide(context: CliContext, { pool }: Core, { id, confirm, refuse, why }: Deciding & { id: string }): Promise<void> {
  const { decideCompany, nothingWaits } = await import('../../operations/onboarding/confirm-company.ts');
  const { knownInvitation } = await import('../../operations/onboarding/invitations.ts');
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

async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const { listInvitations } = await import('../../operations/onboarding/invitations.ts');
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

async function renew(context: CliContext, core: Core, { id, json }: Json & { id: string }): Promise<void> {
  const { renewInvitation } = await import('../../operations/onboarding/invitations.ts');
  const { token, invitation } = await renewInvitation(core, { id, by: cliActor() });
  await handLink(context, core, { ...invitation, token, words: 'Their new link; earlier links no longer work:', json });
}

async function revoke(context: CliContext, { pool }: Core, { id, links, why }: Revoking & { id: string }): Promise<void> {
  const { endLinksOf, revokeInvitation } = await import('../../operations/onboarding/invitations.ts');
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  if (links === undefined) await revokeInvitation({ pool }, { id, ...said });
  else if ((await endLinksOf({ pool }, { id, scopes: [links], ...said })) === 0) throw new CliError('no such link of this invitation opens anything');
  printLines(context, ['These links no longer work.']);
}

async function nameMade(context: CliContext, core: Core, { id, is, none }: MadeShopOptions & { id: string }): Promise<void> {
  const { openComplianceAccess, openComplianceClient } = await import('../../app/compliance-api.ts');
  const { nameMadeShop } = await import('../../operations/onboarding/invitations.ts');
  if (is === undefined && none !== true) throw new CliError('say which with --is UUID, or --none');
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  await nameMadeShop({ pool: core.pool, connections: core.connections, compliance, client }, { id, shopId: is ?? null, by: cliActor() });
  printLines(context, ['The merchant can go on.']);
}

type Options = { email?: string; shop?: string; company?: string; app?: string; lang?: Lang; json?: true };

async function invite(context: CliContext, { email, shop, company, app, lang, json }: Options): Promise<void> {
  const { openComplianceAccess, openComplianceClient } = await import('../../app/compliance-api.ts');
  const { inviteMerchant } = await import('../../operations/onboarding/invitations.ts');
  await withCore(context, async (core) => {
    await using compliance = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    const deps = { pool: core.pool, connections: core.connections, apps: core.apps, compliance, client };
    const given = { email: email ?? null, lang: lang ?? null };
    const wanted = { shopId: shop ?? null, company: company ?? null, app: app ?? null, by: cliActor() };
    const { id, token, others } = await inviteMerchant(deps, { ...given, ...wanted });
    noteOthers(context, others);
    await handLink(context, core, { id, token, ...given, words: `The merchant connects a store here, within 14 days (invitation ${id}):`, json });
  });
}

/** `words`: above the link. */
type Handed = Pick<Invitation, 'id' | 'email' | 'lang'> & { token: string; words: string; json?: true | undefined };

/** Says that others have the company, too. */
function noteOthers(context: CliContext, others: readonly string[]): void {
  if (others.length > 0) note(context, `Others have this company, too, and share its document numbers: ${others.join(', ')}.`);
}

/** Prints a merchant's link, which is shown this once, and mails it if that can be. */
async function handLink(context: CliContext, { pool, config }: Pick<Core, 'pool' | 'config'>, { id, email, lang, token, words, json }: Handed): Promise<void> {
  const { webhookBase } = await import('../../app/addresses.ts');
  const { invitationMail } = await import('../../operations/onboarding/merchant-mail.ts');
  const { connectAddress } = await import('../../operations/onboarding/onboarding.ts');
  const base = await webhookBase(config);
  const link = connectAddress(base, token);
  const mail = email === null ? null : await invitationMail({ pool, base }, { id, lang, to: email }, token);
  const mailed = mail === null ? null : await mailLink(config, mail);
  if (json) printJson(context, { id, link, mailed: mailed?.isSent === true });
  else printLines(context, [words, link]);
  if (config.console === false) note(context, 'CONSOLE is off here: no process with this setting serves /connect, where the link leads.');
  if (mailed !== null) note(context, mailed.words);
}

/** Mails a link now, while somebody waits, and says what became of the mail: without a mail server it is a file. */
async function mailLink(config: Config, { to, ...content }: { to: string; subject: string; text: string }): Promise<{ isSent: boolean; words: string }> {
  const { mailTransport, WAITED_FOR } = await import('../../app/mail-transport.ts');
  const unsent = (words: string) => ({ isSent: false, words: `${words} Send it to them yourself.` });
  if (config.mail.smtpUrl !== null && config.publicUrl === null)
    return unsent('It was not mailed: PUBLIC_URL is not set, so that the link leads to this machine alone.');
  const transport = mailTransport(config, { timeouts: WAITED_FOR });
  const message = { ...content, to: [to], replyTo: config.mail.replyTo ?? null, senderName: null, html: null, attachments: [], images: [] };
  const { why, path } = await transport.send(message, crypto.randomUUID()).catch((thrown: unknown) => ({ why: errorWords(thrown), path: undefined }));
  if (why !== null) return unsent(`It could not be mailed (${why}).`);
  return path === undefined ? { isSent: true, words: 'It was mailed to them.' } : unsent(`SMTP_URL is not set, so that the mail is a file: ${path}.`);
}
