import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { openQueues } from '../../app/queues.ts';
import { isServed } from '../../app/running-server.ts';
import { mailCheck, verdictDeps } from '../../app/verdicts.ts';
import { askOutside } from '../../operations/verdict/read-machine.ts';
import { databaseDownVerdict, readVerdict } from '../../operations/verdict/read-verdict.ts';
import type { Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { serverConfig } from '../server-config.ts';
import { plural } from '../text/plural.ts';
import { levelTone } from '../text/tones.ts';
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

/** The verdict for people: its words first, then a block for each reason, with local times. */
function verdictText(verdict: Verdict): Line[] {
  const first = levelLine(verdict.verdict, firstLine(verdict));
  return [first, ...verdict.reasons.flatMap((reason) => ['', ...block(reason)])];
}

function firstLine({ verdict, reasons }: Verdict): string {
  if (verdict === 'ok') return 'ok: all is well.';
  const failing = reasons.filter(({ level }) => level === 'failing').length;
  const others = reasons.length - failing;
  return failing === 0
    ? `attention: orders are recorded as they come; ${plural(others, 'thing needs', 'things need')} a look.`
    : `failing: orders can’t be recorded, or a legal term is past, for ${plural(failing, 'reason')}${others === 0 ? '' : `; ${plural(others, 'thing needs', 'things need')} a look besides`}.`;
}

function levelLine(level: Verdict['verdict'], text: string): Line {
  return { text, word: level, tone: levelTone(level) };
}

function block(reason: Reason): Line[] {
  const { code, level, count, total, since, words, verb } = reason;
  const facts = [
    ...(since === null ? [] : [`since ${localTime(since)}`]),
    ...(count === null ? [] : [`count ${count}`]),
    ...(total === null ? [] : [`sum ${total}`]),
  ];
  return [
    levelLine(level, `${level}  ${code}`),
    `  ${withLocalTimes(oneLine(words))}`,
    ...(facts.length === 0 ? [] : [`  ${facts.join(', ')}`]),
    ...(verb === null ? [] : [`  $ orderbridge ${oneLine(verb)}`]),
  ];
}
