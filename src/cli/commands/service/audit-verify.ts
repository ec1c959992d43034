import { Command } from 'commander';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printJson, printLines } from '../../../platform/terminal/print.ts';
import { verifyAuditFile } from '../../../service/audit/format/verify-audit-file.ts';
import { readableFile, reading, tellingProgress } from '../../input/readable-file.ts';
import { withProgressBar } from '../../output/progress-bar.ts';
import { auditReportText, byLevel } from '../../text/audit-report-text.ts';
import { wordsFor } from '../../words/words.ts';

/** `orderbridge service audit verify` */
export function auditVerifyCommand(context: CliContext): Command {
  return new Command('verify')
    .summary('check an audit file, also one of other software')
    .description(
      'Checks an audit file of any software: its encoding, its XML, the schema, and rules beyond it (docs/audit-file.md lists them). Every finding is ' +
        'shown with its line, the order’s number, the rule, and what to do. Needs no database. Exit code 1 if there are errors, 2 if the file can’t be read.',
    )
    .argument('<file>', 'the XML file')
    .option('--json', 'print JSON: file, header (null: not an audit file), sums, findings ({level, rule, line, order, words, advice}, errors first)')
    .action((file: string, { json }: { json?: true }) => verify(context, file, json === true));
}

async function verify(context: CliContext, file: string, json: boolean): Promise<void> {
  const { auditFile: say } = wordsFor(context);
  const given = await readableFile(context, file);
  const report = await withProgressBar(context, 'MB', (onProgress) => reading(context, file, verifyAuditFile(tellingProgress(given, onProgress))));
  if (json) printJson(context, { file, ...report });
  else printLines(context, auditReportText(file, report, say));
  const { errors } = byLevel(report.findings);
  if (errors.length > 0) throw new CliError(say.hasErrors(file, errors.length));
}
