import type { Core } from '../../../app/core.ts';
import { advanceTo, numbersOf, type SequenceOf, takeBack } from '../../../operations/service/numbers.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { textTable } from '../../../platform/terminal/text-table.ts';
import { documentNumberText } from '../../../service/numbers/number-text.ts';
import { cliActor } from '../../actor.ts';
import type { Opened } from '../../with-core.ts';
import { en } from '../../words/en.ts';

export type Advance = { companyUic: string; to: number; why: string };

export async function show(context: CliContext, { core }: Opened, { companyUic, json }: { companyUic: string; json: boolean }): Promise<void> {
  const sequence = await numbersOf(core, companyUic);
  if (json) printJson(context, sequence);
  else printLines(context, sequenceText(sequence));
}

function sequenceText({ next, given, skipped, shops, owners }: SequenceOf): string[] {
  const { numbers: say } = en.service;
  const section = (title: string, header: readonly string[], rows: (string | null)[][]) => (rows.length === 0 ? [] : ['', title, ...textTable(header, rows)]);
  const run = ({ first, last }: { first: number; last: number }) => `${documentNumberText(first)}–${documentNumberText(last)}`;
  return [
    next === null ? say.none : say.next(documentNumberText(next)),
    ...section(
      say.titles.given,
      ['numbers', 'voided'],
      given.map((one) => [run(one), one.voided === 0 ? null : String(one.voided)]),
    ),
    ...section(
      say.titles.skipped,
      ['numbers', 'on', 'by', 'why'],
      skipped.map((one) => [run(one), localTime(one.at), one.who, one.why]),
    ),
    ...section(
      say.titles.shops,
      ['name', 'orders', 'owner', 'id'],
      shops.map(({ name, orders, ownerId, id }) => [name, String(orders), ownerId, id]),
    ),
    ...section(
      say.titles.owners,
      ['key'],
      owners.map((owner) => [owner]),
    ),
  ];
}

export async function advance(context: CliContext, { core }: Opened, { companyUic, to, why }: Advance): Promise<void> {
  const skipped = await advanceTo(core, { companyUic, to, why, by: cliActor() });
  const { numbers: say } = en.service;
  printLines(context, [
    say.nextIs(companyUic, documentNumberText(to)),
    ...(skipped === null ? [] : [say.skipped(documentNumberText(skipped.first), documentNumberText(skipped.last))]),
  ]);
}

export async function undoSkip(context: CliContext, core: Core, { companyUic, why }: { companyUic: string; why: string }): Promise<void> {
  const { first, last } = await takeBack(core, { companyUic, why, by: cliActor() });
  const { numbers: say } = en.service;
  printLines(context, [say.takenBack(documentNumberText(first), documentNumberText(last)), say.nextIs(companyUic, documentNumberText(first))]);
}
