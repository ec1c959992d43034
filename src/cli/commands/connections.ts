import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { webhookBase } from '../../app/webhook-base.ts';
import type { StoreHost } from '../../bridge/connections/connection.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { type ConnectionReport, listConnections } from '../../operations/connections/list-connections.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';
import { withCore } from '../with-core.ts';

/** `orderbridge connections` */
export function connectionsCommand(context: CliContext): Command {
  return new Command('connections')
    .description(
      'Lists every connection, live or not, with warnings: a store that delivers signed error bodies, webhooks that name another host, ' +
        'a compliance service that is paused because it is down, throttles, or refuses the key, a store whose API is paused because it hangs, fails or refuses the key, or that could not be read by it for two periods, paid orders of which no webhook told, orders that have been waiting for 14 days in a status of a plugin, ' +
        'a shop nearly all of whose orders are at 0 % VAT, and a store whose webhooks are refused one after the other, even if it is disconnected.',
    )
    .option('--json', 'print JSON: an array of connections')
    .action((options: { json?: true }) => withCore(context, (core) => connections(context, core, options)));
}

async function connections(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const shown = await listConnections(core, await webhookBase(core.config));
  if (json) return printJson(context, shown);
  if (shown.length === 0) return printLines(context, ['No store is connected yet; `orderbridge connect --help` says how.']);
  const rows = shown.map(({ connectionId, platform, name, state, store, shop, recordFrom }) => [connectionId, platform, name, state, store, shop, recordFrom]);
  const hosts = shown.flatMap((one) => one.hosts.flatMap((host) => hostLine(one, host)));
  const throttled = shown.flatMap(throttledLine);
  const read = shown.flatMap(readLine);
  const warnings = shown.flatMap(({ connectionId, warnings }) => warnings.map((warning) => `! ${connectionId}: ${oneLine(warning)}`));
  printLines(context, [
    ...textTable(['connection', 'platform', 'name', 'state', 'store', 'compliance shop', 'records from'], rows),
    ...hosts,
    ...throttled,
    ...read,
    ...warnings,
  ]);
}

function throttledLine({ connectionId, throttled: { count, last }, settings: { ratePerSecond } }: ConnectionReport): string[] {
  return last === null ? [] : [`- ${connectionId}: ${count} webhooks were answered 429, the last at ${last} (ratePerSecond is ${ratePerSecond})`];
}

function readLine({ connectionId, state, read }: ConnectionReport): string[] {
  if (read?.readAt == null || state !== 'connected') return [];
  const { unknown = 0, stale = 0 } = read.lastWalk ?? {};
  return [
    `- ${connectionId}: its store was read at ${read.readAt}; changes until ${read.watermark ?? '-'} are known (the last time ${unknown} orders were unknown, ${stale} stale)`,
  ];
}

function hostLine({ connectionId: id, store }: ConnectionReport, { host, verdict, dismissed }: StoreHost): string[] {
  if (verdict === 'not-ours') return [`- ${id}: ${host} is not the store’s; webhooks that were not kept: ${dismissed}`];
  const isNew = verdict === 'ours' && host !== storeHost(store ?? '');
  return isNew ? [`- ${id}: ${host} is the store’s, too`] : [];
}
