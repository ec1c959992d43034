import { Command, InvalidArgumentError, Option } from 'commander';
import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import type { Core } from '../../app/core.ts';
import { decideCompany, nothingWaits } from '../../operations/onboarding/confirm-company.ts';
import { endLinksOf, knownInvitation, listInvitations, renewInvitation, revokeInvitation } from '../../operations/onboarding/invitations.ts';
import { settleShop } from '../../operations/onboarding/settle-shop.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { handLink } from '../hand-link.ts';
import { whyOption } from '../input/why.ts';
import { printTable } from '../output/print-table.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

const INVITATION = ['<invitation>', 'its id, from `orderbridge invitations list`'] as const;

type Json = { json?: true };
type Revoking = { links?: string; why?: string };
type Deciding = { confirm?: true; refuse?: true; why?: string };
type Settling = { is?: string; none?: true };

/** `orderbridge invitations` */
export function invitationsCommand(context: CliContext): Command {
  const invitations = new Command('invitations').description('Links by which merchants connect their stores, and see how they do.');
  invitations
    .command('list')
    .summary('list whom a link lets connect a store')
    .description('Lists the invitations, the newest first: how far each merchant is, until when his link works, and the links that open something.')
    .option('--json', 'print JSON: an array of invitations')
    .action((options: Json) => withCore(context, (core) => list(context, core, options)));
  invitations
    .command('link')
    .argument(...INVITATION)
    .summary('make a new link, and end those before')
    .description(
      'Prints a new link instead of all before it, those to one step too, for 14 days, and mails it if his address is known and there is a mail server. ' +
        'Once recording began, it leads to the page of how the store does, and has no end.',
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
      'A compliance service that honours no Idempotency-Key is asked for a shop once. If its answer was lost, look there whether it made the shop, and say it here; then the merchant goes on.',
    )
    .addOption(new Option('--is <uuid>', 'it made this shop').conflicts('none'))
    .option('--none', 'it made none, and may be asked again')
    .action((id: string, options: Settling) => withCore(context, (core) => settle(context, core, { id, ...options })));
}

function companyCommand(context: CliContext): Command {
  return new Command('company')
    .argument(...INVITATION)
    .summary('say whether the company that a merchant named is his')
    .description(
      'A merchant whose invitation names no company makes a shop only of one that is confirmed, by his mailbox or here. `orderbridge invitations list` shows whose ' +
        'company waits, and who else has it: a merchant who is confirmed, too, gets document numbers of the same sequence.',
    )
    .addOption(new Option('--confirm', 'it is his').conflicts('refuse'))
    .option('--refuse', 'it is not: no shop is made')
    .addOption(whyOption())
    .action((id: string, options: Deciding) => withCore(context, (core) => decide(context, core, { id, ...options })));
}

async function decide(context: CliContext, { pool }: Core, { id, confirm, refuse, why }: Deciding & { id: string }): Promise<void> {
  const { invitations: say } = wordsFor(context);
  if (confirm !== true && refuse !== true) throw new CliError(say.confirmHow);
  const { waits } = await knownInvitation({ pool }, id);
  if (waits === null) throw nothingWaits();
  const { company, others } = waits;
  await decideCompany({ pool }, { id, company, isTheirs: confirm === true, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [confirm === true ? say.confirmed(company) : say.refused(company)]);
  if (confirm === true && others.length > 0) note(context, say.others(others.join(', ')));
}

function scope(text: string): string {
  if (!/^(all|status|step:[a-z]+)$/.test(text)) throw new InvalidArgumentError('It must be all, status, or step:NAME.');
  return text;
}

async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const all = await listInvitations({ pool });
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, [wordsFor(context).invitations.none]);
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

async function renew(context: CliContext, { pool, config }: Core, { id, json }: Json & { id: string }): Promise<void> {
  const { token, invitation } = await renewInvitation({ pool }, { id, by: cliActor() });
  await handLink(context, config, { ...invitation, token, words: wordsFor(context).invitations.renewed, json });
}

async function revoke(context: CliContext, { pool }: Core, { id, links, why }: Revoking & { id: string }): Promise<void> {
  const said = { by: cliActor(), ...(why === undefined ? {} : { why }) };
  const { invitations: say } = wordsFor(context);
  if (links === undefined) await revokeInvitation({ pool }, { id, ...said });
  else if ((await endLinksOf({ pool }, { id, scopes: [links], ...said })) === 0) throw new CliError(say.noLinks);
  printLines(context, [say.revoked]);
}

async function settle(context: CliContext, core: Core, { id, is, none }: Settling & { id: string }): Promise<void> {
  const { invitations: say } = wordsFor(context);
  if (is === undefined && none !== true) throw new CliError(say.settleHow);
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  await settleShop({ pool: core.pool, connections: core.connections, compliance, client }, { id, shopId: is ?? null, by: cliActor() });
  printLines(context, [say.settled]);
}
