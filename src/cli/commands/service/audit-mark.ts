import { Command } from 'commander';
import { counted, form } from '../../../contract/plural.ts';
import type { Authorship } from '../../../platform/audit-log/audit-log.ts';
import { type CliContext, CliError, cliActor } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import type { Incomplete, OutdatedVersion } from '../../../service/audit/month/mark-month.ts';
import type { MonthActs, NotFiled } from '../../../service/audit/month/month-acts.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import { CORRECTION_DAYS, deadlineOf } from '../../../service/law/deadlines.ts';
import { accepted, ofMonth, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/shared-options.ts';
import { actRefusalWords, auditCommandLine, noVersionWords, outstandingText } from '../../text/audit-text.ts';
import { withService } from '../../with-core.ts';

export function auditMarkFiledCommand(context: CliContext): Command {
  return saidOfMonth(new Command('mark-filed').summary('say that the audit file of a month is filed'))
    .description(
      'Records that a person has filed a version of a month’s audit file in the agency’s portal. This closes the month: an order of it that is deleted from ' +
        'then on becomes a return in a later file, and no other version is made unless this one is marked as rejected. Repeated for the same version, it ' +
        'adds or corrects the number and the day.',
    )
    .option('--version <n>', 'which version was filed; without it, the last one', wholeNumber)
    .option('--incoming-number <number>', 'the number that the agency gave it (Вх. №)')
    .option('--filed-on <day>', 'the day on which it was filed, such as 2026-11-12; without it, today')
    .option('--as-is', 'even if it lacks the last changes: the file that the agency has counts, and the changes go into later files')
    .option('--without-outstanding', 'even if paid orders of the month are not recorded: they go into later files')
    .hook('preAction', accepted('monthFiledDto'))
    .action((options: Filing) => acting(context, options, (month) => markFiled(context, month, options)));
}

export function auditMarkRejectedCommand(context: CliContext): Command {
  return saidOfMonth(new Command('mark-rejected').summary('say that the filed file of a month has errors'))
    .description('Records that the agency found errors in the file that was filed, or you did within the term, so that another version can be made.')
    .option('--words <text>', 'what the agency says is wrong; the month’s page shows it')
    .hook('preAction', accepted('monthRejectedDto'))
    .action((options: AuditMarkOptions & { words?: string }) => acting(context, options, (month) => markRejected(context, month, options)));
}

export function auditNothingToFileCommand(context: CliContext): Command {
  return saidOfMonth(new Command('nothing-to-file').summary('say that an empty month has nothing to file'))
    .description(
      'Records that a person agreed with the accountant that a month without orders has nothing to file, or how its returns are accounted for, which a file without orders can’t include (--with-returns). No more mails about it are sent; a new order or ' +
        'return in it opens it again.',
    )
    .requiredOption('--note <text>', 'what was agreed with whom')
    .option('--with-returns', 'the month has returns, which no file can include, and the note says how they were dealt with')
    .hook('preAction', accepted('monthNothingDto'))
    .action((options: Nothing) => acting(context, options, (month) => markNothing(context, month, options)));
}

const saidOfMonth = (command: Command): Command => ofMonth(command).addOption(whyOption());

export function auditMarkCheckedCommand(context: CliContext): Command {
  return saidOfMonth(new Command('mark-checked').summary('say that the sums of a month agree with bookkeeping'))
    .description(
      'Records that a person compared the sums of the last version of a month’s file with bookkeeping. A version that is made later is compared anew.',
    )
    .requiredOption('--version <n>', 'which version was compared: the last one', wholeNumber)
    .action((options: AuditMarkOptions & { version: number }) => acting(context, options, (month) => markChecked(context, month, options)));
}

export function auditMarkAcceptedCommand(context: CliContext): Command {
  return saidOfMonth(new Command('mark-accepted').summary('say that the agency accepted the file of a month'))
    .description('Records that the agency’s message says that it accepted the file that was filed.')
    .action((options: AuditMarkOptions) => acting(context, options, (month) => markAccepted(context, month)));
}

type AuditMarkOptions = { shop: string; month: string; why?: string };
type Acting = { months: MonthActs; key: MonthKey; said: Authorship };

/** Has the person at the command line say something of a month of a known shop. */
function acting(context: CliContext, { shop, month: of, why }: AuditMarkOptions, say: (acting: Acting) => Promise<void>): Promise<void> {
  return withService(context, async ({ service: { audit, months } }) => {
    const { knownShop } = await import('../../../operations/service/shops.ts');
    return say({ months, key: { shopId: (await knownShop(audit, shop)).id, month: of }, said: { by: cliActor(), why } });
  });
}

type Filing = AuditMarkOptions & { version?: number; incomingNumber?: string; filedOn?: string; asIs?: true; withoutOutstanding?: true };

async function markFiled(
  context: CliContext,
  { months, key, said }: Acting,
  { version: named, incomingNumber, filedOn, asIs, withoutOutstanding }: Filing,
): Promise<void> {
  const anyway = { asIs: asIs === true, withoutOutstanding: withoutOutstanding === true };
  const filed = await months.filed({ ...key, version: named ?? null, incomingNumber, filedOn, ...anyway, said });
  if (!filed.ok) throw new CliError(await notFiledWords(key, filed));
  const { version, later, without } = filed;
  printLines(context, [
    ...(without === undefined
      ? []
      : [`Filed without ${outstandingText(without)} that ${form.en(without.orders, 'is', 'are')} not recorded: later files list them.`]),
    `Version ${version} of the file of ${key.month} is marked as filed.`,
    'The month is closed: an order of it that is deleted from now on becomes a return in the file of the month in which it is deleted.',
    `If the agency finds errors in the file: ${auditCommandLine('mark-rejected', key)}`,
  ]);
  if (later !== null)
    note(
      context,
      `Warning: version ${version} is not the last one, which is ${later}. If another version is to be filed in its place: ${auditCommandLine('mark-rejected', key)}`,
    );
}

async function notFiledWords(key: MonthKey, refused: NotFiled): Promise<string> {
  switch (refused.why) {
    case 'no-file':
      return refused.isEmpty && refused.last === null
        ? `${key.month} has no order for a file; if the accountant agrees that there is nothing to file, ${auditCommandLine('nothing-to-file', key)} settles it`
        : noVersionWords(key, refused.last);
    case 'wrong-day':
      return `--filed-on must be a day from ${refused.first}, when the version was made, to ${refused.last}, today`;
    case 'outstanding':
      return incompleteWords(key, refused);
    case 'outdated':
      return await outdatedWords(key, refused);
    case 'already':
      return await actRefusalWords(refused, key);
  }
}

function incompleteWords(key: MonthKey, { outstanding }: Incomplete): string {
  const { orders, at } = outstanding;
  const left = outstandingText(outstanding);
  return (
    `${left} of ${key.month} ${form.en(orders, 'is', 'are')} not recorded (as of ${at}); \`orderbridge review\` says what to do with each; once they are recorded, ` +
    `make the file anew with ${auditCommandLine('generate', key)} and file that. If the file was filed without them, add --without-outstanding: they go into later files`
  );
}

async function outdatedWords(key: MonthKey, { version, changes, header }: OutdatedVersion): Promise<string> {
  const { headerWords } = await import('../../../service/audit/month/shop-of-month.ts');
  const [show, generate] = [auditCommandLine('show', key), auditCommandLine('generate', key)];
  return (
    `version ${version} lacks ${counted.en(changes, 'change', 'changes')}${headerWords(header)} of the month since it was made (${show}); ` +
    `make another with ${generate} and file that, until ${deadlineOf(key.month)}. ` +
    `If the agency has version ${version} and it must stay, add --as-is: the changes then go into later files`
  );
}

async function markRejected(context: CliContext, { months, key, said }: Acting, { words = null }: { words?: string | null }): Promise<void> {
  const rejected = await months.rejected({ ...key, words, said });
  if (!rejected.ok) throw new CliError(await actRefusalWords(rejected, key));
  const { version, deadline, inTerm } = rejected;
  const next = `Correct what the agency names, then ${auditCommandLine('generate', key)}; file it within ${CORRECTION_DAYS} days of the agency’s message.`;
  printLines(context, [
    `Version ${version} of the file of ${key.month} is marked as rejected.`,
    inTerm
      ? `The month is open again until ${deadline}: orders that are deleted leave its file.`
      : `It was due on ${deadline}, so the month stays closed: orders that are deleted stay in its file and become returns.`,
    next,
  ]);
}

type Nothing = AuditMarkOptions & { note: string; withReturns?: true };

async function markNothing(context: CliContext, { months, key, said }: Acting, { note, withReturns }: Nothing): Promise<void> {
  const marked = await months.nothingToFile({ ...key, note, withReturns: withReturns === true, said });
  if (!marked.ok) throw new CliError(`${await actRefusalWords(marked, key)}${marked.why === 'has-returns' ? ' (--note, and --with-returns)' : ''}`);
  printLines(context, [`${key.month} is settled: nothing to file. A new order or return in it opens it again.`]);
}

async function markChecked(context: CliContext, { months, key, said }: Acting, { version }: { version: number }): Promise<void> {
  const checked = await months.checked({ ...key, version, said });
  if (!checked.ok) throw new CliError(noVersionWords(key, checked.last));
  printLines(context, [`Saved: the totals of version ${version} of the file of ${key.month} match the books.`]);
}

async function markAccepted(context: CliContext, { months, key, said }: Acting): Promise<void> {
  const accepted = await months.accepted({ ...key, said });
  if (!accepted.ok) throw new CliError(await actRefusalWords(accepted, key));
  printLines(context, [`Saved: the agency accepted version ${accepted.version} of the file of ${key.month}.`]);
}
