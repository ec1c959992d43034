import { Command, InvalidArgumentError } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { Advance } from '../../actions/service/numbers.ts';
import { whyOption } from '../../input/shared-options.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/numbers.ts');

/** `orderbridge service numbers` */
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
    .action((companyUic: string, { json }: { json?: true }) =>
      withService(context, async (opened) => (await actions()).show(context, opened, { companyUic, json: json === true })),
    );
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
      withService(context, async (opened) => (await actions()).advance(context, opened, { companyUic, ...options })),
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
    .action((companyUic: string, { why }: { why: string }) =>
      withService(context, async ({ core }) => (await actions()).undoSkip(context, core, { companyUic, why })),
    );
  return numbers;
}

function documentNumber(text: string): number {
  if (!/^0*[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a number of ten digits at most.');
  return Number(text);
}
