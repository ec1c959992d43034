import { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { keysCommand } from './keys.ts';
import { recordedOrdersCommand } from './orders.ts';
import { shopsCommand } from './shops.ts';

/** `orderbridge service` */
export function serviceCommand(context: CliContext): Command {
  const service = new Command('service').description('Manages our own compliance service, which this database holds.');
  for (const group of [keysCommand, shopsCommand, recordedOrdersCommand]) service.addCommand(group(context));
  return service;
}
