import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { SubscriptionsReport } from '../../operations/subscriptions/show-subscriptions.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localOrNone } from '../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, terminalWidth, textTable } from '../../platform/terminal/text-table.ts';
import { withCore } from '../with-core.ts';

export function subscriptionsCommand(context: CliContext): Command {
  return new Command('subscriptions')
    .description(
      'Lists the webhooks by which a store sends to this connection, and what is wrong with them: missing, disabled by the store, paused by a person, ' +
        'with another address, bringing only a part, or sending what does not arrive. This is checked automatically every hour: what is missing or disabled, or ' +
        'brings only a part, is made anew where the key may write. --repair does so now, and also where a person paused a webhook or it has another address. Only webhooks whose address bears ' +
        'the id of the connection are ever removed.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--repair', 'make webhooks anew that do not work, or are missing')
    .option('--json', 'print JSON: {connectionId, address, subscriptions, problems, advice, repaired, stopped}')
    .action((id: string, options: Options) => withCore(context, (core) => subscriptions(context, core, { id, ...options })));
}

type Options = { repair?: true; json?: true };

async function subscriptions(context: CliContext, core: Core, { id, repair, json }: Options & { id: string }): Promise<void> {
  const { watchDeps } = await import('../../app/watchdog.ts');
  const { storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { showSubscriptions } = await import('../../operations/subscriptions/show-subscriptions.ts');
  const deps = { pool: core.pool, watch: watchDeps(core, storefronts), storefronts, connections: core.connections };
  const report = await showSubscriptions(deps, { id, repair: repair === true, by: cliActor(), signal: context.signal });
  if (json) return printJson(context, report);
  printLines(context, linesOf(report, context));
}

const HEADER = ['webhook', 'topic', 'state', 'last sent', 'last accepted', 'address'];

const FIT = { give: ['last sent', 'last accepted'], keep: ['webhook', 'state'] };

function linesOf({ subscriptions: listed, problems, advice, repaired, stopped }: SubscriptionsReport, context: CliContext): string[] {
  const rows = listed.map(({ id, topic, state, attemptedAt, acceptedAt, address }) => [
    id,
    topic,
    state,
    localOrNone(attemptedAt),
    localOrNone(acceptedAt),
    address,
  ]);
  return [
    ...(listed.length === 0 ? ['The store has no webhook for this connection.'] : textTable(HEADER, rows, { ...FIT, width: terminalWidth(context.stdout) })),
    ...(repaired.length === 0 ? [] : [`Made anew: ${repaired.join(', ')}. What was missed is read through the store’s API.`]),
    ...(stopped === null ? [] : [`! not repaired: ${oneLine(stopped)}`]),
    ...problems.flatMap(({ topic, words, todo }) => [`! ${topic}: ${oneLine(words)}`, `  ${oneLine(todo)}`]),
    ...advice.map((words) => `- ${oneLine(words)}`),
    ...(problems.length === 0 ? ['Nothing is wrong with them.'] : []),
  ];
}
