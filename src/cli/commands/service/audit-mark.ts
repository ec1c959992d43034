import { Command } from 'commander';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Filing, Nothing, Options } from '../../actions/service/audit-mark.ts';
import { accepted, month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/audit-mark.ts');

/** `orderbridge service audit mark-filed` */
export function auditMarkFiledCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-filed').summary('say that the audit file of a month is filed'))
    .description(
      'Records that a person has filed a version of a month’s audit file in the agency’s portal. This closes the month: an order of it that is deleted from ' +
        'then on becomes a return in a later file, and no other version is made unless this one is marked as rejected. Repeated for the same version, it ' +
        'adds or corrects the number and the day.',
    )
    .option('--version <n>', 'which version was filed; without it, the last one', wholeNumber)
    .option('--incoming-number <number>', 'the number that the agency gave it (Вх. №)', accepted(monthFiledDto.shape.incomingNumber))
    .option('--filed-on <day>', 'the day on which it was filed, such as 2026-11-12; without it, today', accepted(monthFiledDto.shape.filedOn))
    .option('--as-is', 'also if it lacks the last changes: the file that the agency has counts, and the changes go into later files')
    .option('--without-outstanding', 'also if paid orders of the month are not recorded: they go into later files')
    .action((options: Filing) => withService(context, async ({ service }) => (await actions()).markFiled(context, service, options)));
}

/** `orderbridge service audit mark-rejected` */
export function auditMarkRejectedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-rejected').summary('say that the filed file of a month has errors'))
    .description('Records that the agency found errors in the file that was filed, or you did within the term, so that another version can be made.')
    .option('--words <text>', 'what the agency says is wrong; the month’s page shows it', accepted(monthRejectedDto.shape.words))
    .action((options: Options & { words?: string }) => withService(context, async ({ service }) => (await actions()).markRejected(context, service, options)));
}

/** `orderbridge service audit nothing-to-file` */
export function auditNothingToFileCommand(context: CliContext): Command {
  return ofMonth(new Command('nothing-to-file').summary('say that an empty month has nothing to file'))
    .description(
      'Records that a person agreed with the accountant that a month without orders has nothing to file, or how its returns are accounted for, which no file tells without orders (--with-returns). It is not mailed about any more; an order or a ' +
        'return that comes into it opens it again.',
    )
    .requiredOption('--note <text>', 'what was agreed with whom', accepted(monthNothingDto.shape.note))
    .option('--with-returns', 'the month has returns, which no file can tell, and the note says how they were dealt with')
    .action((options: Nothing) => withService(context, async ({ service }) => (await actions()).markNothing(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}
