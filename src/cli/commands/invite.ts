import { Command, Option } from 'commander';
import { LANGS } from '../../contract/said.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/invite.ts';

const actions = () => import('../actions/invite.ts');

/** `orderbridge invite` */
export function inviteCommand(context: CliContext): Command {
  return new Command('invite')
    .summary('let a merchant connect a store by a link')
    .description(
      'Prints a link by which one merchant connects one store, within 14 days: he can stop and come back. ' +
        'It is shown once, and only its hash is kept; `orderbridge invitations link` makes another. The server must serve the console (roles console and all).',
    )
    .option('--email <address>', 'where he is mailed the link, if there is a mail server, and later what only he can do')
    .option('--shop <uuid>', 'id of his shop at the compliance service; without it he makes one')
    .addOption(
      new Option('--company <uic>', 'number (ЕИК) of his company, of which he makes a shop; without it he names it, and it must be confirmed').conflicts(
        'shop',
      ),
    )
    .option('--app <app>', 'which app he approves at his store; needed where there are several for one merchant each')
    .addOption(new Option('--lang <lang>', 'language of his pages and mails; without it as his browser asks, and mails are Bulgarian').choices([...LANGS]))
    .option('--json', 'print JSON: id, link, mailed')
    .action(async (options: Options) => (await actions()).invite(context, options));
}
