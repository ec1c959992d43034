import { openComplianceAccess, openComplianceClient } from '../../app/compliance-api.ts';
import type { Core } from '../../app/core.ts';
import { everyQueue } from '../../app/every-queue.ts';
import { probeAt } from '../../bridge/delivery/maintenance-worker.ts';
import { notifyNobody } from '../../bridge/delivery/notify.ts';
import {
  addressWords,
  type DestinationPause,
  type DestinationReport,
  listDestinations,
  type Probed,
  probeDestination,
  type QueueState,
  queueStates,
  resumeDestination,
  resumeQueue,
} from '../../operations/destinations/destinations.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { plural } from '../text/plural.ts';
import { withQueues } from '../with-queues.ts';

export type Json = { json?: true };

export async function listAll(context: CliContext, core: Core, { json }: Json): Promise<void> {
  const all = await listDestinations(core);
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['No compliance service is used yet; `orderbridge connect --help` says how a store is connected.']);
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

function row({ destinationId, address, keyEnd, stores, pauses, lastHour }: DestinationReport): string[] {
  const live = stores.filter(({ isLive }) => isLive).map(({ name }) => oneLine(name));
  return [
    addressWords({ baseUrl: address }),
    keyEnd === null ? '?' : `…${keyEnd}`,
    pauses.length > 0 ? 'paused' : 'works',
    live.join(', '),
    pace(lastHour),
    destinationId,
  ];
}

function pace({ requests, failed, isMore }: DestinationReport['lastHour']): string {
  return `${isMore ? 'over ' : ''}${plural(requests, 'request')}${failed === 0 ? '' : `, ${failed} not taken`}`;
}

function pauseLines(one: DestinationReport): Line[] {
  const address = addressWords({ baseUrl: one.address });
  return one.pauses.map((pause) => ({ text: withLocalTimes(pauseLine(address, pause)), word: '!', tone: 'asks' }));
}

function pauseLine(address: string, { shopId, callType, code, detail, since, until, waiting, stores }: DestinationPause): string {
  const what = `${callType}${shopId === null ? '' : ` of the shop ${shopId}`}${stores.length === 0 ? '' : ` (${stores.map(oneLine).join(', ')})`}`;
  return `! ${address}: ${what} paused since ${since}: ${code} (${oneLine(detail)}); ${waiting.isMore ? 'more than ' : ''}${plural(waiting.orders, 'order waits', 'orders wait')}; it is tried again at ${until}`;
}

type Named<Options> = Options & { named: string | undefined };

export async function probeOne(context: CliContext, core: Core, { named, json }: Named<Json>): Promise<void> {
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const { pool, destinations } = core;
  const probed = await withQueues(core, ({ maintenance }) =>
    probeDestination({ pool, destinations, compliance, client, probe: (scope) => probeAt(maintenance, scope, 0) }, { named, by: cliActor() }),
  );
  if (json) printJson(context, probed);
  else printLines(context, probeLines(probed));
  if (!probed.works) throw new CliError('the compliance service does not work with this key; `orderbridge doctor` says more');
}

function probeLines({ address, works, status, ms, detail, probed }: Probed): string[] {
  const answered = status === null ? `no answer within ${ms} ms` : `answered ${status} in ${ms} ms`;
  const said = works ? ': it answers, and takes the key' : detail === '' ? '' : ` (${oneLine(detail)})`;
  const pauses =
    probed === 0
      ? []
      : [`An order of ${probed === 1 ? 'the pause' : `each of the ${probed} pauses`} is sent now; \`orderbridge destinations\` shows what comes of it.`];
  return [`${addressWords({ baseUrl: address })} ${answered}${said}.`, ...pauses];
}

export type ResumeOptions = Json & { shop?: string; why?: string };

export async function resumeOne(context: CliContext, core: Core, { named, shop, why, json }: Named<ResumeOptions>): Promise<void> {
  const { pool, destinations } = core;
  const resumed = await resumeDestination({ pool, destinations, notify: notifyNobody }, { named, shop, why, by: cliActor() });
  if (json) return printJson(context, resumed);
  const { address, ended } = resumed;
  const where = addressWords({ baseUrl: address });
  if (ended.length === 0) return printLines(context, [`${where} was not paused.`]);
  printLines(context, [
    `${ended.length === 1 ? 'A pause' : `${ended.length} pauses`} of ${where} ended; the orders that waited are sent now.`,
    ...ended.map((one) => localLine(one)),
  ]);
}

function localLine({ callType, shopId, since, code, detail }: Pick<DestinationPause, 'callType' | 'shopId' | 'since' | 'code' | 'detail'>): string {
  return `  ${callType}${shopId === null ? '' : ` of the shop ${shopId}`}: ${code} since ${localTime(since)} (${oneLine(detail)})`;
}

export type QueuesOptions = { resume?: string; json?: true };

export async function queues(context: CliContext, core: Core, { resume, json }: QueuesOptions): Promise<void> {
  const { wasPaused, states } = await withQueues(core, async (opened) => {
    const every = everyQueue(opened);
    return {
      wasPaused: resume === undefined ? null : await resumeQueue({ pool: core.pool, queues: every, by: cliActor() }, resume),
      states: await queueStates(every),
    };
  });
  if (json) return printJson(context, states);
  if (wasPaused !== null && resume !== undefined) printLines(context, [wasPaused ? `${resume} is resumed.` : `${resume} was not paused.`, '']);
  printTable(context, {
    header: ['queue', 'state', 'waiting', 'active', 'delayed', 'failed'],
    rows: states.map(queueRow),
    tones: { state: (state) => (state === 'paused' ? 'bad' : undefined) },
  });
}

function queueRow({ name, isPaused, jobs: { waiting, prioritized, active, delayed, failed } }: QueueState): string[] {
  return [name, isPaused ? 'paused' : 'running', ...[waiting + prioritized, active, delayed, failed].map(String)];
}
