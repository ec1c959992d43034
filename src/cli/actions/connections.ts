import type { Core } from '../../app/core.ts';
import { webhookBase } from '../../app/webhook-base.ts';
import type { StoreHost } from '../../bridge/connections/connection.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { type ConnectionReport, listConnections } from '../../operations/connections/list-connections.ts';
import { shortId, storeNames } from '../../operations/connections/store-names.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { markTone } from '../text/tones.ts';
import { type CliWords, en } from '../words/en.ts';

export async function connections(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const shown = await listConnections(core, await webhookBase(core.config));
  if (json) return printJson(context, shown);
  const { stores: words } = en;
  if (shown.length === 0) return printLines(context, [words.connections.none]);
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
    ...named.flatMap((one) => trialLine(one, words)),
    ...named.flatMap((one) => one.hosts.flatMap((host) => hostLine(one, host, words))),
    ...named.flatMap((one) => throttledLine(one, words)),
    ...named.flatMap((one) => readLine(one, words)),
  ];
  const warnings = named.flatMap((one) => one.warnings.map((warning) => `! ${one.connectionId}: ${oneLine(warning)}`));
  printLines(context, [
    ...remarks.map((line) => withLocalTimes(line)),
    ...warnings.map((line): Line => ({ text: withLocalTimes(line), word: '!', tone: 'asks' })),
  ]);
}

type Say = CliWords['stores'];

function trialLine({ connectionId, state, trialSince }: ConnectionReport, { connections: say }: Say): string[] {
  return trialSince === null || state !== 'connected' ? [] : [`- ${connectionId}: ${say.onTrial(trialSince)}`];
}

function throttledLine({ connectionId, throttled: { count, last }, settings: { ratePerSecond } }: ConnectionReport, { connections: say }: Say): string[] {
  return last === null ? [] : [`- ${connectionId}: ${say.throttled(count, last, String(ratePerSecond))}`];
}

function readLine({ connectionId, state, read }: ConnectionReport, { connections: say }: Say): string[] {
  if (read?.lastReadAt == null || state !== 'connected') return [];
  const { unknown = 0, stale = 0 } = read.lastSyncRun ?? {};
  return [`- ${connectionId}: ${say.read({ at: read.lastReadAt, until: read.watermark ?? '-', unknown, stale })}`];
}

function hostLine({ connectionId: id, store }: ConnectionReport, { host, verdict, dismissed }: StoreHost, { connections: say }: Say): string[] {
  if (verdict === 'not-ours') return [`- ${id}: ${say.notOurs(host, dismissed)}`];
  const isNew = verdict === 'ours' && host !== storeHost(store ?? '');
  return isNew ? [`- ${id}: ${say.ours(host)}`] : [];
}
