import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { counted, form } from '../../contract/plural.ts';
import type { addressWords, DestinationPause, DestinationReport, Probed, QueueState } from '../../operations/destinations/destinations.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import { type Line, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

const NAMED = ['[destination]', 'its address, or the beginning of its id; not needed if there is one'] as const;

export function queuesCommand(context: CliContext): Command {
  return new Command('queues')
    .description(
      'Lists the queues with their jobs, and whether one is paused: then its jobs don’t run, though webhooks are still accepted. ' +
        'Nothing here pauses a queue; another tool for BullMQ can.',
    )
    .option('--resume <queue>', 'resume a paused queue')
    .option('--json', 'print JSON: name, isPaused, jobs by state')
    .action((options: QueuesOptions) => withCore(context, (core) => queues(context, core, options)));
}

export function destinationsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description(
      'Lists the compliance services that stores have, each with the end of its key, its stores, and how many requests of the last hour it accepted; and what is ' +
        'paused there: since when, why, how many orders wait, and when one of them is retried.',
    )
    .option('--json', 'print JSON: destinationId, address (null: our own), keyEnd, stores, pauses, lastHour, lastProbe')
    .action((options: Json) => withCore(context, (core) => listAll(context, core, options)));
  const probe = new Command('probe')
    .description(
      'Asks a compliance service whether it answers and accepts the key, by deleting an order that can’t exist, and prints the answer and how long it took. Where ' +
        'it is paused, one order of each pause is sent now: the answer ends the pause, or makes it longer. Exit code 1 if it does not work.',
    )
    .argument(...NAMED)
    .option('--json', 'print JSON: destinationId, address, works, status, ms, detail, probed')
    .action((named: string | undefined, options: Json) => withCore(context, (core) => probeOne(context, core, { named, ...options })));
  const resume = new Command('resume')
    .description('Ends the pauses of a compliance service: all orders that wait for it are sent now. If it still fails, it is paused again.')
    .argument(...NAMED)
    .option('--shop <id>', 'end only the pauses of this shop')
    .addOption(whyOption())
    .option('--json', 'print JSON: destinationId, address, ended')
    .action((named: string | undefined, options: ResumeOptions) => withCore(context, (core) => resumeOne(context, core, { named, ...options })));
  return new Command('destinations')
    .description('The compliance services that records are sent to: what is paused, whether they answer, and the end of a pause.')
    .addCommand(list, { isDefault: true })
    .addCommand(probe)
    .addCommand(resume);
}

type Json = { json?: true };

async function listAll(context: CliContext, core: Core, { json }: Json): Promise<void> {
  const { addressWords, listDestinations } = await import('../../operations/destinations/destinations.ts');
  const all = await listDestinations(core);
  if (json) return printJson(context, all);
  if (all.length === 0) return printLines(context, ['No compliance service is used yet; `orderbridge connect --help` says how a store is connected.']);
  printTable(context, {
    header: ['address', 'key', 'state', 'stores', 'last hour', 'destination'],
    rows: all.map((one) => row(one, addressWords)),
    give: ['stores', 'last hour'],
    keep: ['state', 'destination'],
    tones: { state: (state) => (state === 'paused' ? 'bad' : 'good') },
  });
  printLines(
    context,
    all.flatMap((one) => pauseLines(one, addressWords)),
  );
}

function row({ destinationId, address, keyEnd, stores, pauses, lastHour }: DestinationReport, named: typeof addressWords): string[] {
  const live = stores.filter(({ isLive }) => isLive).map(({ name }) => oneLine(name));
  return [
    named({ baseUrl: address }),
    keyEnd === null ? '?' : `…${keyEnd}`,
    pauses.length > 0 ? 'paused' : 'works',
    live.join(', '),
    `${lastHour.isMore ? 'over ' : ''}${counted.en(lastHour.requests, 'request', 'requests')}${lastHour.failed === 0 ? '' : `, ${lastHour.failed} failed`}`,
    destinationId,
  ];
}

function pauseLines(one: DestinationReport, named: typeof addressWords): Line[] {
  const address = named({ baseUrl: one.address });
  return one.pauses.map((pause) => ({ text: withLocalTimes(pauseLine(address, pause)), word: '!', tone: 'asks' }));
}

function pauseLine(address: string, { shopId, callType, code, detail, since, until, waiting, stores }: DestinationPause): string {
  const what = `${callType}${shopId === null ? '' : ` of the shop ${shopId}`}${stores.length === 0 ? '' : ` (${stores.map(oneLine).join(', ')})`}`;
  return `! ${address}: ${what} paused since ${since}: ${code} (${oneLine(detail)}); ${waiting.isMore ? 'more than ' : ''}${counted.en(waiting.orders, 'order waits', 'orders wait')}; it is retried at ${until}`;
}

type Named<Options> = Options & { named: string | undefined };

async function probeOne(context: CliContext, core: Core, { named, json }: Named<Json>): Promise<void> {
  const { openComplianceAccess, openComplianceClient } = await import('../../app/compliance-api.ts');
  const { probeAt } = await import('../../bridge/delivery/maintenance-worker.ts');
  const { addressWords, probeDestination } = await import('../../operations/destinations/destinations.ts');
  await using compliance = await openComplianceAccess(core);
  await using client = openComplianceClient(core.config);
  const { pool, destinations } = core;
  const probed = await withQueues(core, ({ maintenance }) =>
    probeDestination({ pool, destinations, compliance, client, probe: (scope) => probeAt(maintenance, scope, 0) }, { named, by: cliActor() }),
  );
  if (json) printJson(context, probed);
  else printLines(context, probeLines(probed, addressWords({ baseUrl: probed.address })));
  if (!probed.works) throw new CliError('the compliance service does not work with this key; `orderbridge doctor` says more');
}

function probeLines({ works, status, ms, detail, probed }: Probed, address: string): string[] {
  const answered = status === null ? `no answer within ${ms} ms` : `answered ${status} in ${ms} ms`;
  const said = works ? ': it answers, and accepts the key' : detail === '' ? '' : ` (${oneLine(detail)})`;
  const pauses =
    probed === 0
      ? []
      : [`An order of ${form.en(probed, 'the pause', `each of the ${probed} pauses`)} is sent now; \`orderbridge destinations\` shows the outcome.`];
  return [`${address} ${answered}${said}.`, ...pauses];
}

type ResumeOptions = Json & { shop?: string; why?: string };

async function resumeOne(context: CliContext, core: Core, { named, shop, why, json }: Named<ResumeOptions>): Promise<void> {
  const { notifyNobody } = await import('../../bridge/delivery/notify.ts');
  const { addressWords, resumeDestination } = await import('../../operations/destinations/destinations.ts');
  const { pool, destinations } = core;
  const resumed = await resumeDestination({ pool, destinations, notify: notifyNobody }, { named, shop, why, by: cliActor() });
  if (json) return printJson(context, resumed);
  const { address, ended } = resumed;
  const where = addressWords({ baseUrl: address });
  if (ended.length === 0) return printLines(context, [`${where} was not paused.`]);
  printLines(context, [
    `${form.en(ended.length, 'A pause', `${ended.length} pauses`)} of ${where} ended; the orders that waited are sent now.`,
    ...ended.map((one) => localLine(one)),
  ]);
}

function localLine({ callType, shopId, since, code, detail }: Pick<DestinationPause, 'callType' | 'shopId' | 'since' | 'code' | 'detail'>): string {
  return `  ${callType}${shopId === null ? '' : ` of the shop ${shopId}`}: ${code} since ${localTime(since)} (${oneLine(detail)})`;
}

type QueuesOptions = { resume?: string; json?: true };

async function queues(context: CliContext, core: Core, { resume, json }: QueuesOptions): Promise<void> {
  const { everyQueue } = await import('../../app/watched-queues.ts');
  const { queueStates, resumeQueue } = await import('../../operations/destinations/destinations.ts');
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
