import { Command } from 'commander';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { Incomplete, MarkedNothing, Outdated } from '../../../service/audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../../../service/audit/month/month-acts.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import { headerWords } from '../../../service/audit/month/shop-header.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { CORRECTION_DAYS } from '../../../service/law/correction-term.ts';
import { deadlineOf } from '../../../service/law/deadlines.ts';
import { sofiaDay } from '../../../service/law/sofia-day.ts';
import { cliActor } from '../../actor.ts';
import { accepted, month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { cellWords } from '../../output/print-table.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { outstandingText } from '../../text/outstanding-text.ts';
import { withService } from '../../with-core.ts';
import { type CliWords, wordsFor } from '../../words/words.ts';

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
  return ofMonth(new Command('mark-rejected').summary('say that the filed file of a month has errors'))
    .description('Records that the agency found errors in the file that was filed, or you did within the term, so that another version can be made.')
    .option('--words <text>', 'what the agency says is wrong; the month’s page shows it', accepted(monthRejectedDto.shape.words))
    .action((options: Options & { words?: string }) => withService(context, ({ service }) => markRejected(context, service, options)));
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
    .action((options: Nothing) => withService(context, ({ service }) => markNothing(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}

async function markFiled(context: CliContext, { audit, months }: ComplianceService, options: Filing): Promise<void> {
  const { shop, month: of, version: named, incomingNumber, filedOn, asIs, withoutOutstanding, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const anyway = { asIs: asIs === true, withoutOutstanding: withoutOutstanding === true };
  const filed = await months.filed({ ...key, version: named ?? null, incomingNumber, filedOn, ...anyway, said: { by: cliActor(), why } });
  const words = wordsFor(context).months;
  if (!filed.ok) throw new CliError(notFiledWords(key, filed, words));
  const { version, later, without } = filed;
  const { filed: say } = words;
  printLines(context, [
    ...(without === undefined ? [] : [say.without(outstandingText(without, words), without.orders)]),
    say.done(version, of),
    say.closed,
    say.ifErrors(auditCommandLine('mark-rejected', key)),
  ]);
  if (later !== null) note(context, say.notLast(version, later, auditCommandLine('mark-rejected', key)));
}

function notFiledWords(key: MonthKey, refused: NotFiled, words: CliWords['months']): string {
  const { filed: say } = words;
  switch (refused.why) {
    case 'no-file':
      return refused.isEmpty && refused.last === null
        ? say.empty(key.month, auditCommandLine('nothing-to-file', key))
        : noVersionWords(key, refused.last, words);
    case 'wrong-day':
      return say.wrongDay(refused.first, refused.last);
    case 'outstanding':
      return incompleteWords(key, refused, words);
    case 'outdated':
      return outdatedWords(key, refused, say);
    case 'already':
      return filedWords(key, refused, say);
  }
}

function incompleteWords(key: MonthKey, { outstanding }: Incomplete, words: CliWords['months']): string {
  const { orders, at } = outstanding;
  const left = outstandingText(outstanding, words);
  return words.filed.incomplete({ left, orders, at, month: key.month, command: auditCommandLine('generate', key) });
}

type Say = CliWords['months']['filed'];

function outdatedWords(key: MonthKey, { version, changes, header }: Outdated, say: Say): string {
  const commands = { show: auditCommandLine('show', key), generate: auditCommandLine('generate', key) };
  return say.outdated({ version, lacks: changes, header: headerWords(header), ...commands, until: deadlineOf(key.month) });
}

function filedWords(key: MonthKey, { filedVersion, filedAt }: Extract<NotFiled, { why: 'already' }>, say: Say): string {
  const day = filedAt === null ? null : sofiaDay(filedAt);
  return say.already({ version: filedVersion, month: key.month, day, command: auditCommandLine('mark-rejected', key) });
}

async function markRejected(context: CliContext, { audit, months }: ComplianceService, options: Options & { words?: string }): Promise<void> {
  const { shop, month: of, words = null, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const rejected = await months.rejected({ ...key, words, said: { by: cliActor(), why } });
  if (!rejected.ok) throw new CliError(notRejectedWords(context, key, rejected));
  const { version, deadline, inTerm } = rejected;
  const { rejected: say } = wordsFor(context).months;
  const next = say.next(auditCommandLine('generate', key), CORRECTION_DAYS);
  printLines(context, [say.done(version, of), inTerm ? say.open(deadline) : say.closed(deadline), next]);
}

function notRejectedWords(context: CliContext, key: MonthKey, refused: NotRejected): string {
  const { month: of } = key;
  const { rejected: say } = wordsFor(context).months;
  if (refused.why === 'too-late') return say.tooLate(of);
  const { state } = refused;
  return state === 'rejected' ? say.already(of, auditCommandLine('generate', key)) : say.notFiled(of, cellWords('state', state, context.lang ?? 'en'));
}

type Nothing = Options & { note: string; withReturns?: true };

async function markNothing(context: CliContext, { audit, months }: ComplianceService, options: Nothing): Promise<void> {
  const { shop, month: of, note: words, withReturns = false, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const marked = await months.nothingToFile({ ...key, note: words, withReturns, said: { by: cliActor(), why } });
  const { months: say } = wordsFor(context);
  if (!marked.ok) throw new CliError(notEmptyWords(key, marked, say));
  printLines(context, [say.nothing.done(of)]);
}

function notEmptyWords(key: MonthKey, unsettled: Extract<MarkedNothing, { ok: false }>, { nothing: say, refused }: CliWords['months']): string {
  const { month: of } = key;
  const { why } = unsettled;
  if (why === 'has-returns') return say.hasReturns(of, unsettled.returns);
  if (why === 'no-shop') return refused.noShop;
  if (why === 'not-ours') return refused.notOurs(of);
  if (why === 'not-ended') return say.notEnded(of);
  return why === 'has-file' ? say.hasFile(of, auditCommandLine('show', key)) : say.hasOrders(of, auditCommandLine('generate', key));
}
