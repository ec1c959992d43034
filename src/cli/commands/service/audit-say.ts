import { Command } from 'commander';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { cellWords } from '../../output/print-table.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';

type Options = { shop: string; month: string; why?: string };

/** `orderbridge service audit mark-checked` */
export function auditMarkCheckedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-checked').summary('say that the sums of a month agree with bookkeeping'))
    .description(
      'Records that a person compared the sums of the last version of a month’s file with bookkeeping. A version that is made later is compared anew.',
    )
    .requiredOption('--version <n>', 'which version was compared: the last one', wholeNumber)
    .action((options: Options & { version: number }) => withService(context, ({ service }) => markChecked(context, service, options)));
}

/** `orderbridge service audit mark-accepted` */
export function auditMarkAcceptedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-accepted').summary('say that the agency accepted the file of a month'))
    .description('Records that the agency’s message says that it accepted the file that was filed.')
    .action((options: Options) => withService(context, ({ service }) => markAccepted(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}

async function markChecked(context: CliContext, { audit, months }: ComplianceService, options: Options & { version: number }): Promise<void> {
  const { shop, month: of, version, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { months: say } = wordsFor(context);
  const checked = await months.checked({ ...key, version, said: { by: cliActor(), why } });
  if (!checked.ok) throw new CliError(noVersionWords(key, checked.last, say));
  printLines(context, [say.said.checked(version, of)]);
}

async function markAccepted(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { said: say } = wordsFor(context).months;
  const accepted = await months.accepted({ ...key, said: { by: cliActor(), why } });
  if (!accepted.ok) throw new CliError(say.notFiled(of, cellWords('state', accepted.state, context.lang ?? 'en'), auditCommandLine('mark-filed', key)));
  printLines(context, [say.accepted(accepted.version, of)]);
}
