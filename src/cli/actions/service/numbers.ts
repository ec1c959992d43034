import type { Core } from '../../../app/core.ts';
import { advanceTo, numbersOf, type SequenceOf, takeBack } from '../../../operations/service/numbers.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { textTable } from '../../../platform/terminal/text-table.ts';
import { documentNumberText } from '../../../service/numbers/sequence.ts';
import { cliActor } from '../../actor.ts';
import type { Opened } from '../../with-core.ts';

export type Advance = { companyUic: string; to: number; why: string };

export async function show(context: CliContext, { core }: Opened, { companyUic, json }: { companyUic: string; json: boolean }): Promise<void> {
  const sequence = await numbersOf(core, companyUic);
  if (json) printJson(context, sequence);
  else printLines(context, sequenceText(sequence));
}

function sequenceText({ next, given, skipped, shops, owners }: SequenceOf): string[] {
  const section = (title: string, header: readonly string[], rows: (string | null)[][]) => (rows.length === 0 ? [] : ['', title, ...textTable(header, rows)]);
  const run = ({ first, last }: { first: number; last: number }) => `${documentNumberText(first)}–${documentNumberText(last)}`;
  return [
    next === null
      ? 'No document number was given yet; they begin with the receiptStartNumber of the shop of the first order.'
      : `next  ${documentNumberText(next)}`,
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

export async function advance(context: CliContext, { core }: Opened, { companyUic, to, why }: Advance): Promise<void> {
  const skipped = await advanceTo(core, { companyUic, to, why, by: cliActor() });
  printLines(context, [
    nextIs(companyUic, to),
    ...(skipped === null ? [] : [`${documentNumberText(skipped.first)} to ${documentNumberText(skipped.last)} are skipped, and kept as voided.`]),
  ]);
}

function nextIs(companyUic: string, number: number): string {
  return `The next document number of the company ${companyUic} is ${documentNumberText(number)}.`;
}

export async function undoSkip(context: CliContext, core: Core, { companyUic, why }: { companyUic: string; why: string }): Promise<void> {
  const { first, last } = await takeBack(core, { companyUic, why, by: cliActor() });
  printLines(context, [`${documentNumberText(first)} to ${documentNumberText(last)} are skipped no more.`, nextIs(companyUic, first)]);
}
