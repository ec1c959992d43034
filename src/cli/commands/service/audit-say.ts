import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Options } from '../../actions/service/audit-say.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-say.ts');

/** `orderbridge service audit mark-checked` */
export function auditMarkCheckedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-checked').summary('say that the sums of a month agree with bookkeeping'))
    .description(
      'Records that a person compared the sums of the last version of a month’s file with bookkeeping. A version that is made later is compared anew.',
    )
    .requiredOption('--version <n>', 'which version was compared: the last one', wholeNumber)
    .action((options: Options & { version: number }) => withService(context, async ({ service }) => (await actions()).markChecked(context, service, options)));
}

/** `orderbridge service audit mark-accepted` */
export function auditMarkAcceptedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-accepted').summary('say that the agency accepted the file of a month'))
    .description('Records that the agency’s message says that it accepted the file that was filed.')
    .action((options: Options) => withService(context, async ({ service }) => (await actions()).markAccepted(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}
