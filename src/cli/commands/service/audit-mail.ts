import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Options } from '../../actions/service/audit-mail.ts';
import { month } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-mail.ts');

/** `orderbridge service audit mail` */
export function auditMailCommand(context: CliContext): Command {
  return new Command('mail')
    .summary('mail the audit file of a month')
    .description(
      'Mails the last version of a month’s audit file to the shop and its recipients, with the link to the month’s page; also if it was mailed before. A ' +
        'link that has expired is made anew.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .addOption(whyOption())
    .action((options: Options) => withService(context, async ({ service }) => (await actions()).mail(context, service, options)));
}
