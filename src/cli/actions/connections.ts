import { webhookBase } from '../../app/addresses.ts';
import type { Core } from '../../app/core.ts';
import { watchDeps } from '../../app/watchdog.ts';
import type { StoreHost } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { disconnectStore } from '../../operations/connections/disconnect-store.ts';
import { shortId, storeNames } from '../../operations/connections/known-connection.ts';
import { type ConnectionReport, listConnections } from '../../operations/connections/list-connections.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine, terminalWidth } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { markTone } from '../text/tones.ts';

export async function connections(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
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

function hostLine({ connectionId: id, store }: ConnectionReport, { host, verdict, dismissed }: StoreHost): string[] {
  if (verdict === 'not-ours') return [`- ${id}: ${host} is not the store’s; webhooks that were not kept: ${dismissed}`];
  const isNew = verdict === 'ours' && host !== storeHost(store ?? '');
  return isNew ? [`- ${id}: ${host} is the store’s, too`] : [];
}

export async function disconnect(context: CliContext, core: Core, { id, why }: { id: string; why?: string }): Promise<void> {
  const deps = { pool: core.pool, connections: core.connections, stores: { watch: watchDeps(core, storefronts), storefronts } };
  const { since, remains } = await disconnectStore(deps, { id, by: cliActor(), why });
  printLines(context, [
    since === null ? `${id} is disconnected; orders accepted before are still submitted.` : `${id} was disconnected already, at ${since}.`,
    ...remains.map((one) => one.en),
  ]);
}
