import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commands, groups } from '../../../src/cli/commands.ts';
import { exampleOf } from '../../../src/cli/examples.ts';
import { createProgram } from '../../../src/cli/run-cli.ts';

const printed = new PassThrough();
const context = { args: [], env: {}, cwd: '.', stdin: new PassThrough(), stdout: printed, stderr: printed, signal: new AbortController().signal };
const program = await createProgram(context, Object.keys(commands));
const every = below(program);

function below(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...below(sub)]);
}

function helpOf(command: Command): string {
  command.outputHelp();
  return String(printed.read());
}

/** The words of a command line, as a shell reads them. */
function wordsIn(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);
}

test('the help of the program lists each command in a group', () => {
  const help = helpOf(program);

  const at = Object.keys(groups).map((group) => help.indexOf(`\n${group}:\n`));
  expect(Object.keys(groups)).toEqual(['Every day', 'Stores', 'Orders', 'Months', 'Server']);
  expect(at).toEqual(at.filter((index) => index > 0).toSorted((a, b) => a - b));
  expect(help).not.toContain('\nCommands:\n');
  for (const { name, group } of program.commands.map((one) => ({ name: one.name(), group: one.helpGroup() }))) {
    expect.soft(Object.keys(groups[group.slice(0, -1)] ?? {}), name).toContain(name);
  }
});

test('the help of each command ends with one example', () => {
  for (const command of every) {
    expect.soft(exampleOf(command), command.name()).toMatch(/^\w/);
    expect.soft(helpOf(command).split('Example: ').slice(1), command.name()).toEqual([`orderbridge ${exampleOf(command)}\n`]);
  }
});

test('each example is a command line that its command takes', async () => {
  for (const command of every.filter(({ commands: subs }) => subs.length === 0)) {
    let isRun = false;
    command.action(() => {
      isRun = true;
    });
    await program.parseAsync(wordsIn(exampleOf(command) ?? ''), { from: 'user' });
    expect.soft(isRun, exampleOf(command)).toBe(true);
  }
});
