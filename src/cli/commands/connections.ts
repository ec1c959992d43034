import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/compliance-gateway.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';
import { webhookBase, webhookUrl } from '../webhook-url.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge connections` */
export function connectionsCommand(context: CliContext): Command {
  return new Command('connections')
    .description(
      'Lists every connection, live or not, with warnings: a store that delivers signed error bodies or names itself anew, ' +
        'and a compliance service that is left alone for a while because it is down, throttles, or refuses the key.',
    )
    .option('--json', 'print JSON: an array of connections')
    .action((options: { json?: true }) => withCore(context, (core) => connections(context, core, options)));
}

async function connections(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const [all, pauses, base] = await Promise.all([core.connections.list(), core.destinations.pauses(), webhookBase(core.config)]);
  const shown = all.map((connection) => describe(connection, { pauses, base }));
  if (json) return printJson(context, shown);
  if (shown.length === 0) return printLines(context, ['No store is connected yet; `orderbridge connect --help` says how.']);
  const rows = shown.map(({ connectionId, platform, name, state, store, shop, recordFrom }) => [connectionId, platform, name, state, store, shop, recordFrom]);
  const warnings = shown.flatMap(({ connectionId, warnings }) => warnings.map((warning) => `! ${connectionId}: ${oneLine(warning)}`));
  printLines(context, [...textTable(['connection', 'platform', 'name', 'state', 'store', 'compliance shop', 'records from'], rows), ...warnings]);
}

function describe(connection: Connection, { pauses, base }: { pauses: readonly Pause[]; base: string }) {
  const { id, platform, name, store, shopId, destinationId, recordFrom, settings, createdAt, closedAt, access, secrets } = connection;
  const paused = pauses.filter((pause) => pause.destinationId === destinationId && (pause.shopId === null || pause.shopId === shopId));
  return {
    connectionId: id,
    platform,
    name,
    state: closedAt === null ? 'connected' : 'disconnected',
    store,
    shop: shopId,
    webhookUrl: webhookUrl(base, connection),
    recordFrom,
    connectedAt: createdAt,
    disconnectedAt: closedAt,
    storeUrl: access?.url ?? null,
    oldSecretUntil: secrets.find(({ until }) => until !== null && Date.parse(until) > Date.now())?.until ?? null,
    settings,
    warnings: [...Object.values(connection.warnings), ...paused.map(pauseWords)],
    pauses: paused.map(({ lane, code, detail, since, until, failures }) => ({ lane, code, detail, since, until, failures })),
  };
}

function pauseWords({ lane, code, detail, since, until }: Pause): string {
  const what = lane === 'records' ? 'the compliance service is left alone' : 'the compliance service is asked for no receipts';
  return `${code}: ${what} since ${since} (${detail}); it is tried again at ${until}`;
}
