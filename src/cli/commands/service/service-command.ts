import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { auditDiffCommand, auditMonthsCommand, auditShowCommand, auditVerifyCommand } from './audit-files.ts';
import { auditGenerateCommand, auditMailCommand } from './audit-generate.ts';
import { auditMarkAcceptedCommand, auditMarkCheckedCommand, auditMarkFiledCommand, auditMarkRejectedCommand, auditNothingToFileCommand } from './audit-mark.ts';
import { keysCommand } from './keys.ts';
import { mailsCommand } from './mails.ts';
import { numbersCommand } from './numbers.ts';
import { recordedOrdersCommand } from './orders.ts';
import { ratesCommand } from './rates.ts';
import { receiptsCommand } from './receipts.ts';
import { shopsCommand } from './shops.ts';

const GROUPS = [keysCommand, shopsCommand, numbersCommand, recordedOrdersCommand, receiptsCommand, ratesCommand, auditCommand, mailsCommand];

export function serviceCommand(context: CliContext): Command {
  const service = new Command('service').description('Manages our own compliance service, which this database holds.');
  for (const group of GROUPS) service.addCommand(group(context));
  return service;
}

const AUDIT = [
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
function auditCommand(context: CliContext): Command {
  const audit = new Command('audit').summary('audit files of months').description('Makes, shows, marks, checks and compares the monthly audit files.');
  for (const command of AUDIT) audit.addCommand(command(context));
  return audit;
}
