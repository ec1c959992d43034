import { Command, InvalidArgumentError } from 'commander';
import type { Core } from '../../../app/core.ts';
import type { SequenceOf } from '../../../operations/service/numbers.ts';
import { type CliContext, cliActor } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { textTable } from '../../../platform/terminal/text-table.ts';
import type { documentNumberText } from '../../../service/numbers/sequence.ts';
import { whyOption } from '../../input/shared-options.ts';
import { type CoreAndService, withService } from '../../with-core.ts';

export function numbersCommand(context: CliContext): Command {
  const numbers = new Command('numbers')
    .summary('show and raise document numbers, and take a skip back')
    .description('Shows the sequence of a company’s document numbers, raises the next one, and takes a skip back.');
  numbers
    .command('show')
    .argument('<uic>', 'company number (ЕИК)')
    .summary('show the document numbers of a company')
    .description('Shows the next document number of a company, which numbers were given, voided and skipped, and the shops that share them.')
    .option('--json', 'print JSON')
    .action((companyUic: string, { json }: { json?: true }) => withService(context, (opened) => show(context, opened, { companyUic, json: json === true })));
  numbers
    .command('advance')
    .argument('<uic>', 'company number (ЕИК)')
    .summary('raise the next document number of a company')
    .description(
      'Makes a number the next one, upwards only once a number was given: after a backup was restored, or if the company has given numbers in another ' +
        'system. The numbers between are skipped and kept as voided, with the reason.',
    )
    .requiredOption('--to <number>', 'the next document number', documentNumber)
    .addOption(whyOption().makeOptionMandatory())
    .action((companyUic: string, options: Omit<Advance, 'companyUic'>) =>
      withService(context, (opened) => advance(context, opened, { companyUic, ...options })),
    );
  numbers
    .command('take-back')
    .argument('<uic>', 'company number (ЕИК)')
    .summary('take back the last skip of a company’s document numbers')
    .description(
      'Makes the first number of the last skip the next one again, as long as no number above it was given: after a start number that was mistyped. Make sure ' +
        'that no document elsewhere bears one of them.',
    )
    .addOption(whyOption().makeOptionMandatory())
    .action((companyUic: string, { why }: { why: string }) => withService(context, ({ core }) => undoSkip(context, core, { companyUic, why })));
  return numbers;
}

function documentNumber(text: string): number {
  if (!/^0*[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a number of ten digits at most.');
  return Number(text);
}

type Advance = { companyUic: string; to: number; why: string };

async function show(context: CliContext, { core }: CoreAndService, { companyUic, json }: { companyUic: string; json: boolean }): Promise<void> {
  const { numbersOf } = await import('../../../operations/service/numbers.ts');
  const { documentNumberText } = await import('../../../service/numbers/sequence.ts');
  const sequence = await numbersOf(core, companyUic);
  if (json) printJson(context, sequence);
  else printLines(context, sequenceText(sequence, documentNumberText));
}

function sequenceText({ next, given, skipped, shops, owners }: SequenceOf, text: typeof documentNumberText): string[] {
  const section = (title: string, header: readonly string[], rows: (string | null)[][]) => (rows.length === 0 ? [] : ['', title, ...textTable(header, rows)]);
  const run = ({ first, last }: { first: number; last: number }) => `${text(first)}–${text(last)}`;
  return [
    next === null ? 'No document number was given yet; they begin with the receiptStartNumber of the shop of the first order.' : `next  ${text(next)}`,
    ...section(
      'GIVEN',
      ['numbers', 'voided'],
      given.map((one) => [run(one), one.voided === 0 ? null : String(one.voided)]),
    ),
    ...section(
      'SKIPPED',
      ['numbers', 'on', 'by', 'why'],
      skipped.map((one) => [run(one), localTime(one.at), one.who, one.why]),
    ),
    ...section(
      'SHOPS',
      ['name', 'orders', 'owner', 'id'],
      shops.map(({ name, orders, ownerId, id }) => [name, String(orders), ownerId, id]),
    ),
    ...section(
      'WHO MAY CREATE SHOPS',
      ['key'],
      owners.map((owner) => [owner]),
    ),
  ];
}

async function advance(context: CliContext, { core }: CoreAndService, { companyUic, to, why }: Advance): Promise<void> {
  const { advanceTo } = await import('../../../operations/service/numbers.ts');
  const { documentNumberText } = await import('../../../service/numbers/sequence.ts');
  const skipped = await advanceTo(core, { companyUic, to, why, by: cliActor() });
  printLines(context, [
    nextIs(companyUic, documentNumberText(to)),
    ...(skipped === null ? [] : [`${documentNumberText(skipped.first)} to ${documentNumberText(skipped.last)} are skipped, and kept as voided.`]),
  ]);
}

function nextIs(companyUic: string, number: string): string {
  return `The next document number of the company ${companyUic} is ${number}.`;
}

async function undoSkip(context: CliContext, core: Core, { companyUic, why }: { companyUic: string; why: string }): Promise<void> {
  const { takeBack } = await import('../../../operations/service/numbers.ts');
  const { documentNumberText } = await import('../../../service/numbers/sequence.ts');
  const { first, last } = await takeBack(core, { companyUic, why, by: cliActor() });
  printLines(context, [`${documentNumberText(first)} to ${documentNumberText(last)} are no longer skipped.`, nextIs(companyUic, documentNumberText(first))]);
}
