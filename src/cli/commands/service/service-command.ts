import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { auditCommand } from './audit.ts';
import { keysCommand } from './keys.ts';
import { mailsCommand } from './mails.ts';
import { numbersCommand } from './numbers.ts';
import { recordedOrdersCommand } from './orders.ts';
import { ratesCommand } from './rates.ts';
import { receiptsCommand } from './receipts.ts';
import { shopsCommand } from './shops.ts';

const GROUPS = [keysCommand, shopsCommand, numbersCommand, recordedOrdersCommand, receiptsCommand, ratesCommand, auditCommand, mailsCommand];

/** `orderbridge service` */
export function serviceCommand(context: CliContext): Command {
  const service = new Command('service').description('Manages our own compliance service, which this database holds.');
  for (const group of GROUPS) service.addCommand(group(context));
  return service;
}
