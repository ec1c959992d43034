import { Command } from 'commander';
import { fileMonth, type NotFiled, type NotRejected, rejectMonth } from '../../../operations/months/mark-month.ts';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { Incomplete, Outdated } from '../../../service/audit/month/mark-month.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { CORRECTION_DAYS } from '../../../service/law/correction-term.ts';
import { deadlineOf } from '../../../service/law/deadlines.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { cliActor } from '../../actor.ts';
import { month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { outstandingText } from '../../text/outstanding-text.ts';
import { withService } from '../../with-core.ts';

type Options = { shop: string; month: string; version?: number; asIs?: true; withoutOutstanding?: true; why?: string };

/** `orderbridge service audit mark-filed` */
export function auditMarkFiledCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-filed').summary('say that the audit file of a month is filed'))
    .description(
      'Records that a person has filed a version of a month’s audit file in the agency’s portal. This closes the month: an order of it that is deleted from ' +
        'then on becomes a return in a later file, and no other version is made unless this one is marked as rejected.',
    )
    .option('--version <n>', 'which version was filed; without it, the last one', wholeNumber)
    .option('--as-is', 'also if it lacks the last changes: the file that the agency has counts, and the changes go into later files')
    .option('--without-outstanding', 'also if paid orders of the month are not recorded: they go into later files')
    .action((options: Options) => withService(context, ({ service }) => markFiled(context, service.audit, options)));
}

/** `orderbridge service audit mark-rejected` */
export function auditMarkRejectedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-rejected').summary('say that the agency found errors in the file of a month'))
    .description('Records that the agency found errors in the file that was filed, so that another version can be made.')
    .action((options: Options) => withService(context, ({ service }) => markRejected(context, service.audit, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}

async function markFiled(context: CliContext, deps: AuditDeps, { shop, month: of, version: named, asIs, withoutOutstanding, why }: Options): Promise<void> {
  const said = { by: cliActor(), why };
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const filed = await fileMonth(deps, { ...key, version: named ?? null, asIs: asIs === true, withoutOutstanding: withoutOutstanding === true, said });
  if (!filed.ok) throw new CliError(notFiledWords(key, filed));
  const { version, later, without } = filed;
  printLines(context, [
    ...(without === undefined
      ? []
      : [`Filed without ${outstandingText(without)} that ${without.orders === 1 ? 'is' : 'are'} not recorded: later files list them.`]),
    `Version ${version} of the file of ${of} is marked as filed.`,
    `The month is closed: an order of it that is deleted from now on becomes a return in the file of the month in which it is deleted.`,
    `If the agency finds errors in the file: ${auditCommandLine('mark-rejected', key)}`,
  ]);
  const again = `If another version is to be filed in its place: ${auditCommandLine('mark-rejected', key)}`;
  if (later !== null) note(context, `Warning: version ${version} is not the last one, which is ${later}. ${again}`);
}

function notFiledWords(key: MonthKey, refused: NotFiled): string {
  switch (refused.why) {
    case 'no-file':
      return noVersionWords(key, refused.last);
    case 'outstanding':
      return incompleteWords(key, refused);
    case 'outdated':
      return outdatedWords(key, refused);
    case 'already':
      return filedWords(key, refused);
  }
}

function incompleteWords(key: MonthKey, { outstanding }: Incomplete): string {
  const { orders, at } = outstanding;
  const what = `${outstandingText(outstanding)} of ${key.month} ${orders === 1 ? 'is' : 'are'} not recorded (as of ${at})`;
  const first = `\`orderbridge parked\` says what to do with each; once they are recorded, make the file anew with ${auditCommandLine('generate', key)} and file that`;
  return `${what}; ${first}. If the file was filed without them, add --without-outstanding: they go into later files`;
}

function outdatedWords(key: MonthKey, { version, changes }: Outdated): string {
  const what = `version ${version} lacks ${changes} ${changes === 1 ? 'change' : 'changes'} of the month since it was made (${auditCommandLine('show', key)})`;
  const again = `make another with ${auditCommandLine('generate', key)} and file that, until ${deadlineOf(key.month)}`;
  return `${what}; ${again}. If the agency has version ${version} and it must stay, add --as-is: the changes then go into later files`;
}

function filedWords(key: MonthKey, { filedVersion, filedAt }: Extract<NotFiled, { why: 'already' }>): string {
  const words = `version ${filedVersion} of the file of ${key.month} was marked as filed on ${filedAt === null ? 'an unknown day' : sofiaDay(filedAt)}`;
  return `${words}; if that was a mistake, or the agency found errors in it, ${auditCommandLine('mark-rejected', key)} takes it back`;
}

async function markRejected(context: CliContext, deps: AuditDeps, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(deps, shop)).id, month: of };
  const rejected = await rejectMonth(deps, { ...key, said: { by: cliActor(), why } });
  if (!rejected.ok) throw new CliError(notRejectedWords(key, rejected));
  const { version, deadline, inTerm } = rejected;
  printLines(context, [
    `Version ${version} of the file of ${of} is marked as rejected.`,
    inTerm
      ? `The month is open again until ${deadline}: orders that are deleted leave its file.`
      : `Its term has ended on ${deadline}, so the month stays closed: orders that are deleted stay in its file and become returns.`,
    `Correct what the agency names, then ${auditCommandLine('generate', key)}; file it within ${CORRECTION_DAYS} days of the agency’s message.`,
  ]);
}

function notRejectedWords(key: MonthKey, refused: NotRejected): string {
  const { month: of } = key;
  if (refused.why === 'too-late') {
    return `orders of ${of} that were deleted since are no longer kept, so its file can’t be made again; correct the file that was filed by hand (\`orderbridge service audit show --xml\`), with the accountant`;
  }
  const { state } = refused;
  if (state === 'rejected') return `the file of ${of} is marked as rejected already; make the next one with ${auditCommandLine('generate', key)}`;
  return `the file of ${of} is not marked as filed (the month is ${state}), so it can’t be rejected`;
}
