import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { auditDiffCommand } from './audit-diff.ts';
import { auditGenerateCommand } from './audit-generate.ts';
import { auditMailCommand } from './audit-mail.ts';
import { auditMarkFiledCommand, auditMarkRejectedCommand, auditNothingToFileCommand } from './audit-mark.ts';
import { auditMonthsCommand } from './audit-months.ts';
import { auditMarkAcceptedCommand, auditMarkCheckedCommand } from './audit-say.ts';
import { auditShowCommand } from './audit-show.ts';
import { auditVerifyCommand } from './audit-verify.ts';

const COMMANDS = [
  auditGenerateCommand,
  auditMonthsCommand,
  auditShowCommand,
  auditMarkCheckedCommand,
  auditMailCommand,
  auditMarkFiledCommand,
  auditMarkAcceptedCommand,
  auditMarkRejectedCommand,
  auditNothingToFileCommand,
  auditVerifyCommand,
  auditDiffCommand,
];

/** `orderbridge service audit` */
export function auditCommand(context: CliContext): Command {
  const audit = new Command('audit').summary('audit files of months').description('Makes, shows, marks, checks and compares the monthly audit files.');
  for (const command of COMMANDS) audit.addCommand(command(context));
  return audit;
}
