import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { healthDeps } from '../../app/health-reader.ts';
import { openQueues } from '../../app/queues.ts';
import { isServed } from '../../app/running-server.ts';
import type { FailedCheck, HealthStatus } from '../../operations/health/health-status.ts';
import { databaseDownHealth, readHealth } from '../../operations/health/read-health.ts';
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
  const health = await healthNow(context);
  if (json) printJson(context, health);
  else printLines(context, healthText(health));
  const code = EXITS[health.health];
  if (code !== 0) throw new CliError('', code);
}

/** A database that can't be opened is a health status, too; a configuration that is not valid is not. */
async function healthNow(context: CliContext): Promise<HealthStatus> {
  serverConfig(context);
  let answer: HealthStatus | undefined;
  try {
    await withCore(context, async (core) => {
      answer = await ask(core);
    });
  } catch (thrown) {
    answer ??= databaseDownHealth(thrown);
  }
  return answer ?? databaseDownHealth(new Error('it was closed'));
}

async function ask(core: Core): Promise<HealthStatus> {
  const { config } = core;
  await using queues = openQueues(core);
  return await readHealth({ ...healthDeps(core, { ...queues, every: everyQueue(queues) }), isServed: () => isServed(config) });
}

/** The health status for people: its words first, then a block for each failed check, with local times. */
function healthText(health: HealthStatus): Line[] {
  const first = levelLine(health.health, firstLine(health));
  return [first, ...health.failedChecks.flatMap((failedCheck) => ['', ...block(failedCheck)])];
}

function firstLine({ health, failedChecks }: HealthStatus): string {
  if (health === 'ok') return 'ok: all is well.';
  const failing = failedChecks.filter(({ level }) => level === 'failing').length;
  const others = failedChecks.length - failing;
  return failing === 0
    ? `attention: orders are recorded as they come; ${plural(others, 'thing needs', 'things need')} a look.`
    : `failing: orders can’t be recorded, or a legal term is past, for ${plural(failing, 'reason')}${others === 0 ? '' : `; ${plural(others, 'thing needs', 'things need')} a look besides`}.`;
}

function levelLine(level: HealthStatus['health'], text: string): Line {
  return { text, word: level, tone: levelTone(level) };
}

function block(failedCheck: FailedCheck): Line[] {
  const { code, level, count, total, since, words, verb } = failedCheck;
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
