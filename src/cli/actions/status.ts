import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { openQueues } from '../../app/queues.ts';
import { isServed } from '../../app/running-server.ts';
import { mailCheck, verdictDeps } from '../../app/verdicts.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { storeNames } from '../../operations/connections/store-names.ts';
import { askOutside } from '../../operations/verdict/ask-outside.ts';
import { databaseDownVerdict, readVerdict } from '../../operations/verdict/read-verdict.ts';
import { reasonInBulgarian } from '../../operations/verdict/reason-in-bulgarian.ts';
import type { Verdict } from '../../operations/verdict/verdict.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { serverConfig } from '../server-config.ts';
import { verdictText } from '../text/verdict-text.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

const EXITS = { ok: 0, attention: 1, failing: 2 } as const;

export async function status(context: CliContext, { json }: { json?: true }): Promise<void> {
  const { verdict, stores } = await verdictNow(context);
  if (json) printJson(context, verdict);
  else
    printLines(
      context,
      verdictText(verdict, { words: wordsFor(context), reasonWords: context.lang === 'bg' ? (one) => reasonInBulgarian(one, storeNames(stores)) : null }),
    );
  const code = EXITS[verdict.verdict];
  if (code !== 0) throw new CliError('', code);
}

type Answer = { verdict: Verdict; stores: readonly Connection[] };

/** A database that can't be opened is a verdict, too; a configuration that is not valid is not. */
async function verdictNow(context: CliContext): Promise<Answer> {
  serverConfig(context);
  let answer: Answer | undefined;
  try {
    await withCore(context, async (core) => {
      answer = await ask(core);
    });
  } catch (thrown) {
    answer ??= { verdict: databaseDownVerdict(thrown), stores: [] };
  }
  return answer ?? { verdict: databaseDownVerdict(new Error('it was closed')), stores: [] };
}

async function ask(core: Core): Promise<Answer> {
  const { config } = core;
  await using queues = openQueues(core);
  const outside = () => askOutside({ config, mail: mailCheck(config) });
  const verdict = await readVerdict({ ...verdictDeps(core, { ...queues, every: everyQueue(queues) }), isServed: () => isServed(config), outside });
  return { verdict, stores: await core.connections.list().catch(() => []) };
}
