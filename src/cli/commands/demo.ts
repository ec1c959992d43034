import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';

export function demoCommand(context: CliContext): Command {
  return new Command('demo')
    .description(
      'Shows the whole way on this machine: starts everything on embedded defaults in a scratch folder, connects Shopify, WooCommerce and Standard Webhooks stores, ' +
        'sends their signed webhooks, and compares the records at the compliance service with the expected ones. Then it prints the address of its console, which signs in on this machine, with a story to finish, and stays up to be looked at. ' +
        'PORT is used if it is set, else 3000 or, if that is taken, a free one.',
    )
    .option('--once', 'take everything down at the end; exit code 0 if every order ended as it should, else 1')
    .option('--keep', 'keep the folder at the end, and say how to go on with it')
    .action(async ({ once, keep }: { once?: true; keep?: true }) => {
      const { runDemo } = await import('../../demo/run-demo.ts');
      return runDemo(context, { once: once === true, keep: keep === true });
    });
}
