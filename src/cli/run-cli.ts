import { Command, CommanderError, Option } from 'commander';
import { ROLES, type Role } from '../config/config.ts';
import { type CliContext, CliError } from './context.ts';

/** Runs one command line; answers the exit code. Whatever goes wrong is one sentence on stderr. */
export async function runCli(context: CliContext): Promise<number> {
  const program = new Command('orderbridge').description('Keeps a shop’s tax record equal to what its storefront says was sold');
  program.exitOverride().configureOutput({ writeOut: (text) => context.stdout.write(text), writeErr: (text) => context.stderr.write(text) });
  addCommands(program, context);
  try {
    await program.parseAsync([...context.args], { from: 'user' });
    return 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode;
    context.stderr.write(`orderbridge: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return thrown instanceof CliError ? thrown.exitCode : 1;
  }
}

function addCommands(program: Command, context: CliContext): void {
  program
    .command('start')
    .description('run a role until it is stopped')
    .addOption(new Option('--role <role>', 'what this process does').choices([...ROLES]).default('all'))
    .action(async (options: { role: Role }) => {
      const { start } = await import('./start.ts');
      await start(context, options);
    });
}
