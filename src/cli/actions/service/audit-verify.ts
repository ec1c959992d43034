import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { verifyAuditFile } from '../../../service/audit/format/verify-audit-file.ts';
import { readableFile, reading, tellingProgress } from '../../input/read-file.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { auditReportText, byLevel } from '../../text/audit-text.ts';
import { plural } from '../../text/plural.ts';

export async function verify(context: CliContext, file: string, json: boolean): Promise<void> {
  const given = await readableFile(context, file);
  const report = await withProgressBar(context, 'MB', (onProgress) => reading(file, verifyAuditFile(tellingProgress(given, onProgress))));
  if (json) printJson(context, { file, ...report });
  else printLines(context, auditReportText(file, report));
  const { errors } = byLevel(report.findings);
  if (errors.length > 0) throw new CliError(`${file} has ${plural(errors.length, 'error')}; don’t file it before they are gone`);
}
