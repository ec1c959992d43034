import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { openQueues } from '../../app/queues.ts';
import { isServed } from '../../app/running-server.ts';
import { mailCheck, verdictDeps } from '../../app/verdicts.ts';
import { askOutside } from '../../operations/verdict/ask-outside.ts';
import { databaseDownVerdict, readVerdict } from '../../operations/verdict/read-verdict.ts';
import type { Verdict } from '../../operations/verdict/verdict.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { serverConfig } from '../server-config.ts';
import { verdictText } from '../text/verdict-text.ts';
import { withCore } from '../with-core.ts';

const EXITS = { ok: 0, attention: 1, failing: 2 } as const;

export async function status(context: CliContext, { json }: { json?: true }): Promise<void> {
  const verdict = await verdictNow(context);
  if (json) printJson(context, verdict);
  else printLines(context, verdictText(verdict));
  const code = EXITS[verdict.verdict];
  if (code !== 0) throw new CliError('', code);
}

/** A database that can't be opened is a verdict, too; a configuration that is not valid is not. */
async function verdictNow(context: CliContext): Promise<Verdict> {
  serverConfig(context);
  let answer: Verdict | undefined;
  try {
    await withCore(context, async (core) => {
      answer = await ask(core);
    });
  } catch (thrown) {
    answer ??= databaseDownVerdict(thrown);
  }
  return answer ?? databaseDownVerdict(new Error('it was closed'));
}

async function ask(core: Core): Promise<Verdict> {
  const { config } = core;
  await using queues = openQueues(core);
  const outside = () => askOutside({ config, mail: mailCheck(config) });
  return await readVerdict({ ...verdictDeps(core, { ...queues, every: everyQueue(queues) }), isServed: () => isServed(config), outside });
}
