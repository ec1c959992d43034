import { Command } from 'commander';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { diffAuditFiles } from '../../../service/audit/format/diff-audit-files.ts';
import { readableFile, reading } from '../../input/readable-file.ts';
import { auditDiffText } from '../../text/audit-diff-text.ts';
import { wordsFor } from '../../words/words.ts';

/** Exit code if one of them is no audit file, so that there is nothing to compare. */
const EXIT_NOT_COMPARABLE = 2;

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
    .action((first: string, second: string, { json }: { json?: true }) => diff(context, { first, second, json: json === true }));
}

async function diff(context: CliContext, { first, second, json }: { first: string; second: string; json: boolean }): Promise<void> {
  const [a, b] = [await readableFile(context, first), await readableFile(context, second)];
  const { auditFile: say } = wordsFor(context);
  const found = await reading(context, say.or(first, second), diffAuditFiles(a.bytes, b.bytes));
  if ('unreadable' in found) {
    const names = found.unreadable.map((which) => (which === 'first' ? first : second));
    throw new CliError(say.diff.notComparable(names.join(', ')), EXIT_NOT_COMPARABLE);
  }
  if (json) printJson(context, found);
  else printLines(context, auditDiffText(found, say.diff));
  if (!found.equal) throw new CliError(say.diff.differ);
}
