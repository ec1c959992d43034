import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import type { Core } from '../../app/core.ts';
import { probeAt } from '../../bridge/delivery/maintenance-worker.ts';
import { notifyNobody } from '../../bridge/delivery/notify.ts';
import { addressWords } from '../../operations/destinations/known-destination.ts';
import { type DestinationPause, type DestinationReport, listDestinations } from '../../operations/destinations/list-destinations.ts';
import { type Probed, probeDestination } from '../../operations/destinations/probe-destination.ts';
import { resumeDestination } from '../../operations/destinations/resume-destination.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { withQueues } from '../with-queues.ts';
import { type CliWords, en } from '../words/en.ts';

export type Json = { json?: true };

export async function listAll(context: CliContext, core: Core, { json }: Json): Promise<void> {
  const all = await listDestinations(core);
  if (json) return printJson(context, all);
  const { destinations: say } = en.work;
  if (all.length === 0) return printLines(context, [say.none]);
  printTable(context, {
    header: ['address', 'key', 'state', 'stores', 'last hour', 'destination'],
    rows: all.map((one) => row(one)),
    give: ['stores', 'last hour'],
    keep: ['state', 'destination'],
    tones: { state: (state) => (state === 'paused' ? 'bad' : 'good') },
  });
  printLines(
    context,
    all.flatMap((one) => pauseLines(one)),
  );
}

type Say = CliWords['work']['destinations'];

function row({ destinationId, address, keyEnd, stores, pauses, lastHour }: DestinationReport): string[] {
  const live = stores.filter(({ isLive }) => isLive).map(({ name }) => oneLine(name));
  return [
    addressWords({ baseUrl: address }),
    keyEnd === null ? '?' : `…${keyEnd}`,
    pauses.length > 0 ? 'paused' : 'works',
    live.join(', '),
    en.work.destinations.pace(lastHour),
    destinationId,
  ];
}

function pauseLines(one: DestinationReport): Line[] {
  const { destinations: say } = en.work;
  const address = addressWords({ baseUrl: one.address });
  return one.pauses.map((pause) => ({ text: withLocalTimes(pauseLine(address, pause, say)), word: '!', tone: 'asks' }));
}

function pauseLine(address: string, { shopId, callType, code, detail, since, until, waiting, stores }: DestinationPause, say: Say): string {
  const what = `${say.callTypes[callType]}${shopId === null ? '' : say.ofShop(shopId)}${stores.length === 0 ? '' : ` (${stores.map(oneLine).join(', ')})`}`;
  return `! ${address}: ${say.paused({ what, since, why: `${code} (${oneLine(detail)})`, waiting, until })}`;
}

type Named<Options> = Options & { named: string | undefined };

export async function probeOne(context: CliContext, core: Core, { named, json }: Named<Json>): Promise<void> {
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const { pool, destinations } = core;
  const probed = await withQueues(core, ({ maintenance }) =>
    probeDestination({ pool, destinations, compliance, client, probe: (scope) => probeAt(maintenance, scope, 0) }, { named, by: cliActor() }),
  );
  const { destinations: say } = en.work;
  if (json) printJson(context, probed);
  else printLines(context, probeLines(probed));
  if (!probed.works) throw new CliError(say.fails);
}

function probeLines({ address, works, status, ms, detail, probed }: Probed): string[] {
  const { destinations: say } = en.work;
  const answered = status === null ? say.noAnswer(ms) : say.answered(status, ms);
  const said = works ? say.works : detail === '' ? '' : ` (${oneLine(detail)})`;
  const pauses = probed === 0 ? [] : [say.probed(probed)];
  return [`${addressWords({ baseUrl: address })} ${answered}${said}.`, ...pauses];
}

export type ResumeOptions = Json & { shop?: string; why?: string };

export async function resumeOne(context: CliContext, core: Core, { named, shop, why, json }: Named<ResumeOptions>): Promise<void> {
  const { pool, destinations } = core;
  const resumed = await resumeDestination({ pool, destinations, notify: notifyNobody }, { named, shop, why, by: cliActor() });
  if (json) return printJson(context, resumed);
  const { address, ended } = resumed;
  const { destinations: say } = en.work;
  const where = addressWords({ baseUrl: address });
  if (ended.length === 0) return printLines(context, [say.notPaused(where)]);
  printLines(context, [say.ended(ended.length, where), ...ended.map((one) => localLine(one, say))]);
}

function localLine({ callType, shopId, since, code, detail }: Pick<DestinationPause, 'callType' | 'shopId' | 'since' | 'code' | 'detail'>, say: Say): string {
  return `  ${say.endedOne(`${say.callTypes[callType]}${shopId === null ? '' : say.ofShop(shopId)}`, code, localTime(since))} (${oneLine(detail)})`;
}
