import { Command, InvalidArgumentError } from 'commander';
import type { Core } from '../../app/core.ts';
import type { RecordingState } from '../../operations/service/resume-recording.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { givenWhy, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function resumeCommand(context: CliContext): Command {
  return new Command('resume')
    .description(
      'After the database was restored, copied or promoted nothing is recorded: a number could be given twice, or an order recorded twice. Without options it ' +
        'shows why, and of each company the next document number, and which one Redis (without it: DATA_DIR) knows at least. Then say which numbers come ' +
        'next, beyond the last that was given (by receipts, mails, files), or that none was lost; those between are skipped and kept as voided. At another ' +
        'compliance service run `orderbridge reconcile` first, until it repairs nothing more: it takes the service’s records as the ledger’s own.',
    )
    .option('--next <uic=number>', 'the next document number of a company (ЕИК); may be repeated', nextOf, [])
    .option('--ahead <count>', 'of all other companies: so many above the highest number that is known', wholeNumber)
    .option('--keep-numbers', 'of all other companies: none was lost, such as after a planned promotion')
    .addOption(whyOption())
    .option('--json', 'print JSON: why, companies; or resumed')
    .action((options: Options) => withCore(context, (core) => run(context, core, options)));
}

type Options = { next: [string, number][]; ahead?: number; keepNumbers?: true; why?: string; json?: true };

function nextOf(text: string, before: [string, number][]): [string, number][] {
  const [, companyUic, number] = /^(\d{9,10}|\d{13})=0*([1-9]\d{0,9})$/.exec(text) ?? [];
  if (companyUic === undefined) throw new InvalidArgumentError('It must be a company number, = and a number of ten digits at most.');
  return [...before, [companyUic, Number(number)]];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

async function run(context: CliContext, core: Core, { next, ahead, keepNumbers, why, json }: Options): Promise<void> {
  const { openKnownMarks } = await import('../../app/known-marks.ts');
  const { databaseId, recordingState, resumeRecording } = await import('../../operations/service/resume-recording.ts');
  const id = await databaseId(core.pool);
  const known = await withQueues(core, ({ system: { redis } }) => openKnownMarks(redis, core.config.dataDir).read(id));
  const isSaid = next.length > 0 || ahead !== undefined || keepNumbers || why !== undefined;
  if (!isSaid) {
    const state = await recordingState(core.pool, known);
    return json ? printJson(context, state) : await show(context, state);
  }
  const said = { next: new Map(next), ahead: ahead ?? null, keep: keepNumbers === true, by: cliActor(), why: givenWhy(why) };
  const resumed = await resumeRecording(core, known, said);
  if (json) return printJson(context, { resumed });
  const { documentNumberText } = await import('../../service/numbers/sequence.ts');
  printLines(context, [
    ...resumed.map(({ merchant, to }) => `The next document number of the company ${merchant} is ${documentNumberText(to)}.`),
    'Orders are recorded again.',
  ]);
}

async function show(context: CliContext, { why, companies }: RecordingState): Promise<void> {
  const { documentNumberText } = await import('../../service/numbers/sequence.ts');
  printLines(context, [why === null ? 'Nothing is stopped: orders are recorded.' : `Nothing is recorded: ${why}.`]);
  const text = (number: number | null) => (number === null ? null : documentNumberText(number));
  const rows = companies.map(({ merchant, next, known }) => [merchant, text(next), text(known)]);
  if (rows.length > 0) printLines(context, ['']);
  if (rows.length > 0) printTable(context, { header: ['company', 'next in the database', 'next at least, as known outside'], rows });
  if (why !== null) printLines(context, ['', HOW]);
}

const HOW =
  'Look up the last document number of each company (receipts, mails, files, answers to shops), then `orderbridge resume --next ЕИК=NUMBER … --why "…"`, ' +
  'or --ahead COUNT for all; --keep-numbers if nothing was lost.';
