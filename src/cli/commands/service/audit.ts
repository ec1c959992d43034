import { Command, Option } from 'commander';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { AuditMonthsOptions, AuditShowOptions, Shape } from '../../actions/service/audit-files.ts';
import type { AuditGenerateOptions, AuditMailOptions } from '../../actions/service/audit-generate.ts';
import type { AuditMarkOptions, AuditSayOptions, Filing, Nothing } from '../../actions/service/audit-mark.ts';
import { accepted, month, wholeNumber } from '../../input/arguments.ts';
import { whyOption } from '../../input/shared-options.ts';
import { withService } from '../../with-core.ts';

const auditFilesActions = () => import('../../actions/service/audit-files.ts');

const auditMarkActions = () => import('../../actions/service/audit-mark.ts');

const auditGenerateActions = () => import('../../actions/service/audit-generate.ts');

const SHAPES: readonly { shape: Shape; flag?: string; words: string }[] = [
  { shape: 'text', words: 'the summary as text, and the versions (as without any of these)' },
  { shape: 'xml', words: 'the XML, byte for byte as it was made' },
  { shape: 'csv', words: 'the CSV' },
  { shape: 'bookkeepingCsv', flag: 'bookkeeping-csv', words: 'the sums by day, VAT rate and payment as CSV, for bookkeeping' },
  { shape: 'html', words: 'the summary as an HTML page' },
  { shape: 'json', words: 'print JSON: the summary’s fields, monthState, and versions with their hashes, sums and findings' },
];

const COMMANDS = [
  auditGenerateCommand,
  auditMonthsCommand,
  auditShowCommand,
  auditMarkCheckedCommand,
  auditMailCommand,
  auditMarkFiledCommand,
  auditMarkAcceptedCommand,
  auditMarkRejectedCommand,
  auditNothingToFileCommand,
  auditVerifyCommand,
  auditDiffCommand,
];

/** `orderbridge service audit` */
export function auditCommand(context: CliContext): Command {
  const audit = new Command('audit').summary('audit files of months').description('Makes, shows, marks, checks and compares the monthly audit files.');
  for (const command of COMMANDS) audit.addCommand(command(context));
  return audit;
}

/** `orderbridge service audit generate` */
function auditGenerateCommand(context: CliContext): Command {
  return new Command('generate')
    .summary('make the audit file of a month')
    .description(
      'Makes the next version of a month’s audit file and keeps it, with its CSV and summary. Earlier versions stay. Stores of the shop that can be read ' +
        'are read for the month first, or it says why not. If an order of the month was just deleted, it waits for its replacement (REPLACEMENT_WAIT_MINUTES). Exit code 1 if there is no new version; then it prints why and what to do.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .option('--out <file>', 'also write the XML to this file, such as october.xml, and october.csv and october.html beside it')
    .option('--force', 'overwrite these files if they are there')
    .option('--now', 'don’t wait, neither for the store nor for replacements')
    .option('--mail', 'mail it to the shop and its recipients, as on the shop’s day; if there is no file, the reason')
    .option('--json', 'print JSON: kind (generated, blocked, empty, …), and by kind file, files, mailed, errors, missingRates')
    .action((options: AuditGenerateOptions) => withService(context, async (opened) => (await auditGenerateActions()).generate(context, opened, options)));
}

/** `orderbridge service audit list` */
function auditMonthsCommand(context: CliContext): Command {
  return new Command('list')
    .summary('list the months of a shop')
    .description(
      'Lists the months of a shop, newest first: how many orders the file of each lists, its versions, whether it is filed, and paid orders that are not recorded.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .option(
      '--json',
      'print JSON: an array of {month, state, situation (state, or blocked, empty, returns-only), orders, version (the last one), filedVersion, deadline}, and where there are any lacks (changes that the last version lacks), outstanding (paid orders that are not recorded) and filedWithout (those without which it was filed)',
    )
    .action((options: AuditMonthsOptions) => withService(context, async ({ service }) => (await auditFilesActions()).list(context, service.audit, options)));
}

/** `orderbridge service audit show` */
function auditShowCommand(context: CliContext): Command {
  const command = new Command('show')
    .summary('show the audit file of a month')
    .description(
      'Shows the state of a month: what to do, its figures (in Bulgarian, as they are mailed to the shop), every version of its file, and its changes ' +
        'since. Without --version it is the last one, or the one that was filed.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .option('--version <n>', 'which version', wholeNumber);
  for (const { shape, flag = shape, words } of SHAPES)
    command.addOption(new Option(`--${flag}`, words).conflicts(SHAPES.map((one) => one.shape).filter((other) => other !== shape)));
  return command.action((options: AuditShowOptions) =>
    withService(context, async ({ service }) => (await auditFilesActions()).show(context, service.audit, options)),
  );
}

/** `orderbridge service audit mail` */
function auditMailCommand(context: CliContext): Command {
  return new Command('mail')
    .summary('mail the audit file of a month')
    .description(
      'Mails the last version of a month’s audit file to the shop and its recipients, with the link to the month’s page; also if it was mailed before. A ' +
        'link that has expired is made anew.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .addOption(whyOption())
    .action((options: AuditMailOptions) => withService(context, async ({ service }) => (await auditGenerateActions()).mail(context, service, options)));
}

/** `orderbridge service audit mark-filed` */
function auditMarkFiledCommand(context: CliContext): Command {
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
    .action((options: Filing) => withService(context, async ({ service }) => (await auditMarkActions()).markFiled(context, service, options)));
}

/** `orderbridge service audit mark-rejected` */
function auditMarkRejectedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-rejected').summary('say that the filed file of a month has errors'))
    .description('Records that the agency found errors in the file that was filed, or you did within the term, so that another version can be made.')
    .option('--words <text>', 'what the agency says is wrong; the month’s page shows it', accepted(monthRejectedDto.shape.words))
    .action((options: AuditMarkOptions & { words?: string }) =>
      withService(context, async ({ service }) => (await auditMarkActions()).markRejected(context, service, options)),
    );
}

/** `orderbridge service audit nothing-to-file` */
function auditNothingToFileCommand(context: CliContext): Command {
  return ofMonth(new Command('nothing-to-file').summary('say that an empty month has nothing to file'))
    .description(
      'Records that a person agreed with the accountant that a month without orders has nothing to file, or how its returns are accounted for, which no file tells without orders (--with-returns). It is not mailed about any more; an order or a ' +
        'return that comes into it opens it again.',
    )
    .requiredOption('--note <text>', 'what was agreed with whom', accepted(monthNothingDto.shape.note))
    .option('--with-returns', 'the month has returns, which no file can tell, and the note says how they were dealt with')
    .action((options: Nothing) => withService(context, async ({ service }) => (await auditMarkActions()).markNothing(context, service, options)));
}

function ofMonth(command: Command): Command {
  return command.requiredOption('--shop <id>', 'id of the shop').requiredOption('--month <month>', 'the month, such as 2026-10', month).addOption(whyOption());
}

/** `orderbridge service audit mark-checked` */
function auditMarkCheckedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-checked').summary('say that the sums of a month agree with bookkeeping'))
    .description(
      'Records that a person compared the sums of the last version of a month’s file with bookkeeping. A version that is made later is compared anew.',
    )
    .requiredOption('--version <n>', 'which version was compared: the last one', wholeNumber)
    .action((options: AuditSayOptions & { version: number }) =>
      withService(context, async ({ service }) => (await auditMarkActions()).markChecked(context, service, options)),
    );
}

/** `orderbridge service audit mark-accepted` */
function auditMarkAcceptedCommand(context: CliContext): Command {
  return ofMonth(new Command('mark-accepted').summary('say that the agency accepted the file of a month'))
    .description('Records that the agency’s message says that it accepted the file that was filed.')
    .action((options: AuditSayOptions) => withService(context, async ({ service }) => (await auditMarkActions()).markAccepted(context, service, options)));
}

/** `orderbridge service audit verify` */
export function auditVerifyCommand(context: CliContext): Command {
  return new Command('verify')
    .summary('check an audit file, also one of other software')
    .description(
      'Checks an audit file of any software: its encoding, its XML, the schema, and rules beyond it (docs/reference/audit-rules.md lists them). Every finding is ' +
        'shown with its line, the order’s number, the rule, and what to do. Needs no database. Exit code 1 if there are errors, 2 if the file can’t be read.',
    )
    .argument('<file>', 'the XML file')
    .option('--json', 'print JSON: file, header (null: not an audit file), sums, findings ({level, rule, line, order, words, advice}, errors first)')
    .action(async (file: string, { json }: { json?: true }) => (await auditFilesActions()).verify(context, file, json === true));
}

/** `orderbridge service audit diff` */
export function auditDiffCommand(context: CliContext): Command {
  return new Command('diff')
    .summary('compare two audit files row by row')
    .description(
      'Compares two audit files row by row, such as the one of another plugin and ours for the same month. Orders belong together by their number, then ' +
        'by document number. Encoding, the order of elements, the spelling of numbers (24.960 is 24.96) and the day of creation make no difference. ' +
        'Needs no database. Exit code 1 if the files differ, 2 if one can’t be read.',
    )
    .argument('<file1>', 'the first XML file')
    .argument('<file2>', 'the second XML file')
    .option('--json', 'print JSON: equal, header, sums, orders, returns ({only, …, fields: {field, first, second}}), same (rows that agree)')
    .action(async (first: string, second: string, { json }: { json?: true }) =>
      (await auditFilesActions()).diff(context, { first, second, json: json === true }),
    );
}
