import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { StoreHost } from '../../bridge/connections/connection.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import type { ConnectionReport } from '../../operations/connections/list-connections.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine, terminalWidth } from '../../platform/terminal/text-table.ts';
import { whyOption } from '../input/shared-options.ts';
import { markTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';

export function connectionsCommand(context: CliContext): Command {
  return new Command('connections')
    .description(
      'Lists every connection, live or not, with warnings: a store that delivers signed error bodies, webhooks that name another host, ' +
        'a compliance service that is paused because it is down, throttles, or refuses the key, a store whose API is paused because it hangs, fails or refuses the key, or that could not be read by it for two periods, paid orders that no webhook announced, orders that could not be read whole, orders that have been waiting for 14 days in a status of a plugin, ' +
        'a shop nearly all of whose orders are at 0 % VAT, and a store whose webhooks are refused one after the other, even if it is disconnected.',
    )
    .option('--json', 'print JSON: an array of connections')
    .action((options: { json?: true }) => withCore(context, (core) => connections(context, core, options)));
}

export function disconnectCommand(context: CliContext): Command {
  return new Command('disconnect')
    .description(
      'Stops taking webhooks of a connection: they are removed from the store, if its key may do that, and answered 410 from then on, but for privacy requests. ' +
        'What remains in the store is printed, with where to delete it; the same again removes what could not be removed before. Orders accepted before are still submitted, ' +
        'and recorded ones stay recorded. Connecting the same store to the same shop again goes on from there, with the same address; to change keys or settings, `orderbridge reconnect` is enough.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) => withCore(context, (core) => disconnect(context, core, { id, ...options })));
}

async function connections(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const { webhookBase } = await import('../../app/addresses.ts');
  const { shortId, storeNames } = await import('../../operations/connections/known-connection.ts');
  const { listConnections } = await import('../../operations/connections/list-connections.ts');
  const shown = await listConnections(core, await webhookBase(core.config));
  if (json) return printJson(context, shown);
  if (shown.length === 0) return printLines(context, ['No store is connected yet; `orderbridge connect --help` says how.']);
  const ids = shown.map(({ connectionId }) => connectionId);
  const idOf = terminalWidth(context.stdout) === undefined ? (id: string) => id : (id: string) => shortId(id, ids);
  printTable(context, {
    header: ['name', 'state', 'platform', 'store', 'records from', 'compliance shop', 'connection'],
    rows: shown.map((one) => [one.name, one.state, one.platform, one.store, localTime(one.recordFrom), one.shop, idOf(one.connectionId)]),
    give: ['compliance shop', 'platform', 'records from'],
    keep: ['connection', 'compliance shop'],
    tones: { state: markTone },
  });
  const nameOf = storeNames(shown.map(({ connectionId: id, name }) => ({ id, name })));
  const named = shown.map((one) => ({ ...one, connectionId: nameOf(one.connectionId) }));
  const remarks = [
    ...named.flatMap((one) => trialLine(one)),
    ...named.flatMap((one) => one.hosts.flatMap((host) => hostLine(one, host))),
    ...named.flatMap((one) => throttledLine(one)),
    ...named.flatMap((one) => readLine(one)),
  ];
  const warnings = named.flatMap((one) => one.warnings.map((warning) => `! ${one.connectionId}: ${oneLine(warning)}`));
  printLines(context, [
    ...remarks.map((line) => withLocalTimes(line)),
    ...warnings.map((line): Line => ({ text: withLocalTimes(line), word: '!', tone: 'asks' })),
  ]);
}

function trialLine({ connectionId, state, trialSince }: ConnectionReport): string[] {
  return trialSince === null || state !== 'connected'
    ? []
    : [`- ${connectionId}: on trial since ${trialSince}: nothing is submitted (\`orderbridge start-recording\`)`];
}

function throttledLine({ connectionId, throttled: { count, last }, settings: { ratePerSecond } }: ConnectionReport): string[] {
  return last === null ? [] : [`- ${connectionId}: ${count} webhooks were answered 429, the last at ${last} (ratePerSecond is ${String(ratePerSecond)})`];
}

function readLine({ connectionId, state, read }: ConnectionReport): string[] {
  if (read?.lastReadAt == null || state !== 'connected') return [];
  const { unknown = 0, stale = 0 } = read.lastSyncRun ?? {};
  return [
    `- ${connectionId}: its store was read at ${read.lastReadAt}; changes until ${read.watermark ?? '-'} are known (the last time ${unknown} orders were unknown, ${stale} stale)`,
  ];
}

function hostLine({ connectionId: id, store }: ConnectionReport, { host, ownership, dismissed }: StoreHost): string[] {
  if (ownership === 'not-ours') return [`- ${id}: ${host} is not the store’s; webhooks that were not kept: ${dismissed}`];
  const isNew = ownership === 'ours' && host !== storeHost(store ?? '');
  return isNew ? [`- ${id}: ${host} is the store’s, too`] : [];
}

async function disconnect(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  const { watchDeps } = await import('../../app/watchdog.ts');
  const { storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { disconnectStore } = await import('../../operations/connections/disconnect-store.ts');
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  const { since, remains } = await disconnectStore(deps, { id, by: cliActor(), why });
  printLines(context, [
    since === null ? `${id} is disconnected; orders accepted before are still submitted.` : `${id} was disconnected already, at ${since}.`,
    ...remains.map((one) => one.en),
  ]);
}
