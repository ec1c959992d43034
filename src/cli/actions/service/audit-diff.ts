import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { diffAuditFiles } from '../../../service/audit/format/diff-audit-files.ts';
import { readableFile, reading } from '../../input/readable-file.ts';
import { auditDiffText } from '../../text/audit-diff-text.ts';
import { en } from '../../words/en.ts';

/** Exit code if one of them is no audit file, so that there is nothing to compare. */
const EXIT_NOT_COMPARABLE = 2;

export async function diff(context: CliContext, { first, second, json }: { first: string; second: string; json: boolean }): Promise<void> {
  const [a, b] = [await readableFile(context, first), await readableFile(context, second)];
  const { auditFile: say } = en;
  const found = await reading(say.or(first, second), diffAuditFiles(a.bytes, b.bytes));
  if ('unreadable' in found) {
    const names = found.unreadable.map((which) => (which === 'first' ? first : second));
    throw new CliError(say.diff.notComparable(names.join(', ')), EXIT_NOT_COMPARABLE);
  }
  if (json) printJson(context, found);
  else printLines(context, auditDiffText(found, say.diff));
  if (!found.equal) throw new CliError(say.diff.differ);
}
