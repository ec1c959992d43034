import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';

/** Exit code of a program that Ctrl-C ended. */
const CANCELLED = 130;

/** Asks a person at a terminal, without showing what is typed. */
export async function promptSecret(context: Pick<CliContext, 'stdin' | 'stderr'>, flag: string): Promise<string> {
  const { stdin, stderr } = context;
  if (stdin.isTTY !== true) throw new CliError(`${flag} prompt needs a terminal; give - to read it from standard input, or @FILE`);
  // Readline edits the line and writes what is typed to its output: here, to nothing.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 });
  note({ stderr }, `${flag}: type it and press Enter (it is not shown)`);
  const ended = new Promise<never>((_resolve, reject) => {
    asking.once('SIGINT', () => reject(new CliError('cancelled; nothing was changed', CANCELLED)));
    asking.once('close', () => reject(new CliError(`${flag} was not given; nothing was changed`)));
  });
  try {
    return await Promise.race([asking.question(''), ended]);
  } finally {
    asking.close();
  }
}
