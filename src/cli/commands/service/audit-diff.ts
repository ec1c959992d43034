import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';

const actions = () => import('../../actions/service/audit-diff.ts');

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
    .action(async (first: string, second: string, { json }: { json?: true }) => (await actions()).diff(context, { first, second, json: json === true }));
}
