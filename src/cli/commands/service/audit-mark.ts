import { Command } from 'commander';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { Incomplete, MarkedNothing, Outdated, WrongDay } from '../../../service/audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../../../service/audit/month/month-acts.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { CORRECTION_DAYS } from '../../../service/law/correction-term.ts';
import { deadlineOf } from '../../../service/law/deadlines.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { cliActor } from '../../actor.ts';
import { accepted, month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { outstandingText } from '../../text/outstanding-text.ts';
import { withService } from '../../with-core.ts';

type Options = { shop: string; month: string; why?: string };
type Filing = Options & { version?: number; incomingNumber?: string; filedOn?: string; asIs?: true; withoutOutstanding?: true };

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
    .action((options: Filing) => withService(context, ({ service }) => markFiled(context, service, options)));
}

/** `orderbridge service audit mark-rejected` */
export function auditMarkRejectedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-rejected').summary('say that the agency found errors in the file of a month'))
    .description('Records that the agency found errors in the file that was filed, so that another version can be made.')
    .option('--words <text>', 'what the agency says is wrong; the month’s page shows it', accepted(monthRejectedDto.shape.words))
    .action((options: Options & { words?: string }) => withService(context, ({ service }) => markRejected(context, service, options)));
}

/** `orderbridge service audit nothing-to-file` */
export function auditNothingToFileCommand(context: CliContext): Command {
  return ofMonth(new Command('nothing-to-file').summary('say that an empty month has nothing to file'))
    .description(
      'Records that a person agreed with the accountant that a month without orders has nothing to file. It is not mailed about any more; an order or a ' +
        'return that comes into it opens it again.',
    )
    .requiredOption('--note <text>', 'what was agreed with whom', accepted(monthNothingDto.shape.note))
    .action((options: Options & { note: string }) => withService(context, ({ service }) => markNothing(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}

async function markFiled(context: CliContext, { audit, months }: ComplianceService, options: Filing): Promise<void> {
  const { shop, month: of, version: named, incomingNumber, filedOn, asIs, withoutOutstanding, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const anyway = { asIs: asIs === true, withoutOutstanding: withoutOutstanding === true };
  const filed = await months.filed({ ...key, version: named ?? null, incomingNumber, filedOn, ...anyway, said: { by: cliActor(), why } });
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
      return refused.isEmpty && refused.last === null ? emptyWords(key) : noVersionWords(key, refused.last);
    case 'wrong-day':
      return wrongDayWords(refused);
    case 'outstanding':
      return incompleteWords(key, refused);
    case 'outdated':
      return outdatedWords(key, refused);
    case 'already':
      return filedWords(key, refused);
  }
}

function emptyWords(key: MonthKey): string {
  return `${key.month} has no order for a file; if the accountant agrees that there is nothing to file, ${auditCommandLine('nothing-to-file', key)} settles it`;
}

function wrongDayWords({ first, last }: WrongDay): string {
  return `--filed-on must be a day from ${first}, when the version was made, to ${last}, today`;
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

async function markRejected(context: CliContext, { audit, months }: ComplianceService, options: Options & { words?: string }): Promise<void> {
  const { shop, month: of, words = null, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const rejected = await months.rejected({ ...key, words, said: { by: cliActor(), why } });
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

async function markNothing(context: CliContext, { audit, months }: ComplianceService, options: Options & { note: string }): Promise<void> {
  const { shop, month: of, note: words, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const marked = await months.nothingToFile({ ...key, note: words, said: { by: cliActor(), why } });
  if (!marked.ok) throw new CliError(notEmptyWords(key, marked));
  printLines(context, [`${of} is settled: nothing to file. An order or a return that comes into it opens it again.`]);
}

function notEmptyWords(key: MonthKey, { why }: Extract<MarkedNothing, { ok: false }>): string {
  const { month: of } = key;
  if (why === 'no-shop') return 'the shop was deleted meanwhile';
  if (why === 'not-ended') return `${of} is not over: an order may still come into it`;
  if (why === 'has-file') return `a file of ${of} was made, so there is something to file (${auditCommandLine('show', key)})`;
  return `${of} has orders, so its file is to be made and filed: ${auditCommandLine('generate', key)}`;
}
