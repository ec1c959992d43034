import { Command, CommanderError } from 'commander';
import { Refusal, type RefusalKind } from '../operations/refusal.ts';
import { errorWords } from '../platform/error-words.ts';
import { programVersion } from '../platform/program-version.ts';
import { type CliContext, CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';
import { forTerminal, note } from '../platform/terminal/print.ts';
import { foldText, terminalWidth, textTable } from '../platform/terminal/text-table.ts';
import { commands, groups } from './commands.ts';
import { exampleOf } from './examples.ts';

const ENVIRONMENT = `
Settings come from environment variables and the file .env in the working directory (docs/reference/variables.md lists them); without any, everything runs embedded in ./data.
Instead of a secret, give prompt (asks without showing it), - (standard input) or @FILE; a secret on the command line can be seen by others.
A variable that holds a secret may be given as NAME_FILE, the path of a file.
Exit codes: 0 success, 1 failure, 78 the configuration is not valid; where a command has others, its help says so.`;

/** Runs one command line; returns the exit code. Every error is a sentence on stderr. */
export async function runCli(context: CliContext): Promise<number> {
  try {
    const program = await createProgram(context, namedIn(context.args));
    await program.parseAsync([...context.args], { from: 'user' });
    return 0;
  } catch (thrown) {
    // Commander has printed its own errors already.
    if (thrown instanceof CommanderError) return thrown.exitCode;
    const words = failureText(thrown, terminalWidth(context.stderr));
    if (words !== '') note(context, `orderbridge: ${words}`);
    return exitCodeOf(thrown);
  }
}

/** What is completed is every command. */
function namedIn(args: readonly string[]): readonly string[] {
  const [first = '', second = ''] = args;
  return first === 'completion' ? Object.keys(commands) : [first, second];
}

/** The program with the named commands loaded; the others have only their summary. */
export async function createProgram(context: CliContext, named: readonly string[]): Promise<Command> {
  const program = new Command('orderbridge')
    .description('Keeps a shop’s tax record equal to what its storefront says was sold.')
    .version(programVersion, '-V, --version', 'print the version')
    // After a command --version is that command's own: `service audit show --version 2`.
    .enablePositionalOptions()
    .addHelpText('after', () => foldText(ENVIRONMENT, terminalWidth(context.stdout)))
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(forTerminal(text)),
      getOutHelpWidth: () => Math.min(context.stdout.columns ?? 120, 120),
    })
    .showHelpAfterError('(add --help to see how it is used)');
  for (const [group, entries] of Object.entries(groups)) {
    program.commandsGroup(`${group}:`);
    for (const [name, { summary, load }] of Object.entries(entries)) {
      const command = named.includes(name) ? (await load())(context) : new Command(name);
      program.addCommand(inherit(command.summary(summary), program));
    }
  }
  return program.helpCommand(true);
}

function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  command.addHelpText('after', () => `\nExample: orderbridge ${exampleOf(command)}`);
  for (const sub of command.commands) inherit(sub, command);
  return command;
}

const exitCodes: Readonly<Record<RefusalKind, number>> = { invalid: 1, missing: 1, conflict: 1, unavailable: 1, misconfigured: EXIT_CONFIG };

/** An error for the person at the terminal, with a table to choose from if there is a choice; nothing if all is said already. `width`: its columns; undefined: it is no terminal. */
export function failureText(thrown: unknown, width?: number): string {
  if (thrown instanceof CliError && thrown.message === '') return '';
  const words = errorWords(thrown);
  if (!(thrown instanceof Refusal) || thrown.choices === null) return words;
  return `${words}:\n${textTable(thrown.choices.header, thrown.choices.rows, { width }).join('\n')}`;
}

export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof Refusal) return exitCodes[thrown.kind];
  return thrown instanceof CliError ? thrown.exitCode : 1;
}
