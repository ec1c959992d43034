import { createInterface } from 'node:readline/promises';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { en } from '../words/en.ts';

const YES = /^\s*(y|yes|да)\s*$/i;

/** Asks a person at a terminal; without one, `--yes` is needed. Anything but yes ends the command. */
export async function confirm(context: Pick<CliContext, 'stdin' | 'stderr'>, question: string): Promise<void> {
  const { stdin, stderr } = context;
  const { ask: say } = en.work;
  if (stdin.isTTY !== true) throw new CliError(say.noTerminal);
  const asking = createInterface({ input: stdin, output: stderr, historySize: 0 });
  const closed = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
    asking.once('SIGINT', () => asking.close());
  });
  try {
    if (YES.test(await Promise.race([asking.question(`${question} ${say.suffix} `), closed]))) return;
    throw new CliError(say.no);
  } finally {
    asking.close();
  }
}
