import { Command, InvalidArgumentError, Option } from 'commander';
import { LANGS } from '../../contract/said.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Deciding, Json as InvitationsJson, Options as InviteOptions, Revoking, Settling } from '../actions/invitations.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const invitationsActions = () => import('../actions/invitations.ts');

const INVITATION = ['<invitation>', 'its id, from `orderbridge invitations list`'] as const;

/** `orderbridge invitations` */
export function invitationsCommand(context: CliContext): Command {
  const invitations = new Command('invitations').description('Links by which merchants connect their stores, and see how they do.');
  invitations
    .command('list')
    .summary('list whom a link lets connect a store')
    .description('Lists the invitations, the newest first: how far each merchant is, until when their link works, and the links that open something.')
    .option('--json', 'print JSON: an array of invitations')
    .action((options: InvitationsJson) => withCore(context, async (core) => (await invitationsActions()).list(context, core, options)));
  invitations
    .command('link')
    .argument(...INVITATION)
    .summary('make a new link, and end those before')
    .description(
      'Prints a new link instead of all before it, those to one step too, for 14 days, and mails it if their address is known and there is a mail server. ' +
        'Once recording began, it leads to the page of how the store does, and has no end.',
    )
    .option('--json', 'print JSON: id, link, mailed')
    .action((id: string, options: InvitationsJson) => withCore(context, async (core) => (await invitationsActions()).renew(context, core, { id, ...options })));
  invitations
    .command('revoke')
    .argument(...INVITATION)
    .summary('end every link of a merchant; what it connected stays')
    .description('Ends every link of a merchant. What it connected stays connected; `orderbridge disconnect` ends that.')
    .addOption(new Option('--links <scope>', 'end only these: all (the whole way), status, or step:NAME').argParser(scope))
    .addOption(whyOption())
    .action((id: string, options: Revoking) => withCore(context, async (core) => (await invitationsActions()).revoke(context, core, { id, ...options })));
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
    .action((id: string, options: Settling) => withCore(context, async (core) => (await invitationsActions()).settle(context, core, { id, ...options })));
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
    .action((id: string, options: Deciding) => withCore(context, async (core) => (await invitationsActions()).decide(context, core, { id, ...options })));
}

function scope(text: string): string {
  if (!/^(all|status|step:[a-z]+)$/.test(text)) throw new InvalidArgumentError('It must be all, status, or step:NAME.');
  return text;
}

const inviteActions = () => import('../actions/invitations.ts');

/** `orderbridge invite` */
export function inviteCommand(context: CliContext): Command {
  return new Command('invite')
    .summary('let a merchant connect a store by a link')
    .description(
      'Prints a link by which one merchant connects one store, within 14 days: they can stop and come back. ' +
        'It is shown once, and only its hash is kept; `orderbridge invitations link` makes another. The server must serve the console (roles console and all).',
    )
    .option('--email <address>', 'where they are mailed the link, if there is a mail server, and later what only they can do')
    .option('--shop <uuid>', 'id of their shop at the compliance service; without it they make one')
    .addOption(
      new Option('--company <uic>', 'number (ЕИК) of their company, of which they make a shop; without it they name it, and it must be confirmed').conflicts(
        'shop',
      ),
    )
    .option('--app <app>', 'which app they approve at their store; needed where there are several for one merchant each')
    .addOption(new Option('--lang <lang>', 'language of their pages and mails; without it as their browser asks, and mails are Bulgarian').choices([...LANGS]))
    .option('--json', 'print JSON: id, link, mailed')
    .action(async (options: InviteOptions) => (await inviteActions()).invite(context, options));
}
