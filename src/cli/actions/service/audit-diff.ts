import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { diffAuditFiles } from '../../../service/audit/format/diff-audit-files.ts';
import { readableFile, reading } from '../../input/readable-file.ts';
import { auditDiffText } from '../../text/audit-diff-text.ts';

/** Exit code if one of them is no audit file, so that there is nothing to compare. */
const EXIT_NOT_COMPARABLE = 2;

export async function diff(context: CliContext, { first, second, json }: { first: string; second: string; json: boolean }): Promise<void> {
  const [a, b] = [await readableFile(context, first), await readableFile(context, second)];
  const found = await reading(`${first} or ${second}`, diffAuditFiles(a.bytes, b.bytes));
  if ('unreadable' in found) {
    const names = found.unreadable.map((which) => (which === 'first' ? first : second));
    throw new CliError(`not an audit file: ${names.join(', ')}; \`orderbridge service audit verify\` says why`, EXIT_NOT_COMPARABLE);
  }
  if (json) printJson(context, found);
  else printLines(context, auditDiffText(found));
  if (!found.equal) throw new CliError('the files differ');
}
