import { type CliContext, CliError } from '../../platform/terminal/context.ts';

const YES = /^\s*(y|yes|да)\s*$/i;

/** Asks a person at a terminal; without one, `--yes` is needed. Anything but yes ends the command. */
export async function confirm(context: Pick<CliContext, 'stdin' | 'stderr'>, question: string): Promise<void> {
  const { stdin, stderr } = context;
  if (stdin.isTTY !== true) throw new CliError('nothing was changed: give --yes, since there is no terminal to ask at');
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: stdin, output: stderr, historySize: 0 });
  const closed = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
    asking.once('SIGINT', () => asking.close());
  });
  try {
    if (YES.test(await Promise.race([asking.question(`${question} [yes/no] `), closed]))) return;
    throw new CliError('nothing was changed');
  } finally {
    asking.close();
  }
}
