import { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { commands } from '../../src/cli/commands.ts';
import { createProgram } from '../../src/cli/run-cli.ts';
import type { CliContext } from '../../src/platform/terminal/context.ts';

const INTRODUCTION = `# Commands

\`./orderbridge\` in the folder of the checkout is the program, on the Node that \`npm ci\` brought; \`npm start\` is \`./orderbridge start\`. Link it into a folder of your PATH to have it
everywhere: \`ln -s "$PWD/orderbridge" ~/.local/bin/\`. Every command works beside a running server on the same DATA_DIR or DATABASE_URL and without one: then it brings up what
it needs, and the last one out takes it down. This page is made from the program's own help; commands print English, pages and mails are in Bulgarian or English.
`;

/** docs/reference/commands.md: the table of commands, then the --help of each. */
export async function commandManual(table: readonly string[]): Promise<string> {
  const said = new Said();
  const sections = (await everyCommand(said)).map((command) => section(said, command));
  return [INTRODUCTION, `${table.join('\n')}\n`, ...sections].join('\n');
}

async function everyCommand(said: Said): Promise<Command[]> {
  const names = Object.keys(commands);
  const program = await createProgram(contextOf(said), names);
  return names.flatMap((name) => leaves(program, name));
}

/** A command, or its sub-commands. */
function leaves(parent: Command, name: string): Command[] {
  const command = parent.commands.find((one) => one.name() === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command.commands.length === 0 ? [command] : command.commands.flatMap((sub) => leaves(command, sub.name()));
}

function section(said: Said, command: Command): string {
  said.text = '';
  command.outputHelp();
  return `## ${fullName(command)}\n\n\`\`\`text\n${said.text.trimEnd()}\n\`\`\`\n`;
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

class Said extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

function contextOf(said: Said): CliContext {
  return { args: [], env: {}, cwd: '.', stdin: Readable.from([]), stdout: said, stderr: said, signal: new AbortController().signal };
}
