import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { counted } from '../../contract/plural.ts';
import type { FailedCheck, HealthStatus } from '../../operations/health/health-status.ts';
import { type CliContext, CliError, EXIT_CONFIG } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { levelTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description(
      'Says whether all is well, and if not, why, since when, how many orders and how much money it concerns, and what to type. ' +
        'failing: orders of a connected store can’t be recorded, or a legal deadline has passed; attention: all else that a person should know of. ' +
        'What can’t be read is failing, too. Exit code 0 if all is well, 1 for attention, 2 for failing.',
    )
    .option('--json', 'print JSON: {health, at, failedChecks: [{code, level, subject, count, total, since, words, verb, members}]}')
    .action((options: { json?: true }) => status(context, options));
}

/** To PostgreSQL. Its checks would open one each, which costs more time than they take. */
const CONNECTIONS = 3;
const EXITS = { ok: 0, attention: 1, failing: 2 } as const;

async function status(context: CliContext, { json }: { json?: true }): Promise<void> {
  const health = await healthNow(context);
  if (json) printJson(context, health);
  else printLines(context, healthText(health));
  const code = EXITS[health.health];
  if (code !== 0) throw new CliError('', code);
}

/** A database that can't be opened is a health status, too; a configuration that is not valid is not. */
async function healthNow(context: CliContext): Promise<HealthStatus> {
  const { databaseDownHealth } = await import('../../operations/health/read-health.ts');
  let answer: HealthStatus | undefined;
  try {
    const work = async (core: Core): Promise<void> => {
      answer = await ask(core);
    };
    await withCore(context, work, CONNECTIONS);
  } catch (thrown) {
    if (thrown instanceof CliError && thrown.exitCode === EXIT_CONFIG) throw thrown;
    answer ??= databaseDownHealth(thrown);
  }
  return answer ?? databaseDownHealth(new Error('it was closed'));
}

async function ask(core: Core): Promise<HealthStatus> {
  const { healthDeps } = await import('../../app/health-reader.ts');
  const { isServed } = await import('../../app/running-server.ts');
  const { openWatchedQueues } = await import('../../app/watched-queues.ts');
  const { readHealth } = await import('../../operations/health/read-health.ts');
  await using queues = await openWatchedQueues(core);
  return await readHealth({ ...healthDeps(core, queues), isServed: () => isServed(core) });
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
    ? `attention: orders are recorded as they come; ${others} to review.`
    : `failing: ${counted.en(failing, 'urgent problem', 'urgent problems')}${others === 0 ? '' : `, ${others} to review`}.`;
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
