import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import type { ListedDelivery } from '../../operations/connections/store-webhooks.ts';
import type { KeptWebhook } from '../../operations/webhooks/kept-webhook.ts';
import { codeWords, problemWords } from '../../operations/words.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { wholeNumber } from '../input/arguments.ts';
import { givenWhy } from '../input/shared-options.ts';
import { printContent } from '../output/print-content.ts';
import { markTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export function deliveriesCommand(context: CliContext): Command {
  return new Command('deliveries')
    .description(
      'Lists the last webhooks of a connection, the newest first: what each accepted one did, and why others were refused. ' +
        'Orders that were read from the store have the topic reconcile. The last 50 refused ones are kept, without their bodies; ' +
        'new ones show within 5 seconds. Webhooks that concern no order, and requests to an unknown address, are kept nowhere.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--refused', 'only refused ones')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of deliveries')
    .action((id: string, options: Options) => withCore(context, (core) => deliveries(context, core, { id, ...options })));
}

const ID = 'id of the delivery (`orderbridge review`, `orderbridge order` and `orderbridge deliveries --json` show it)';

export function deliveryCommand(context: CliContext): Command {
  const delivery = new Command('delivery').description('One kept webhook: what it was, its body, and whether it still waits for a person.');
  delivery
    .command('show')
    .argument('<id>', ID)
    .summary('show a kept webhook')
    .description(
      'Shows a kept webhook: its store, topic, time, what became of it and why. Its body is printed only with --body: it holds the buyer’s name and address, and that you looked goes into the audit log.',
    )
    .option('--body', 'print the body as the store sent it, and nothing else; it holds personal data of the buyer')
    .option('--json', 'print JSON, without the body')
    .action((id: string, options: ShowOptions) => withCore(context, (core) => show(context, core, { id, ...options })));
  delivery
    .command('dismiss')
    .argument('<id>', ID)
    .summary('say that a webhook that can’t be read needs nothing')
    .description(
      'Takes a webhook in review off the list of what waits for a person: it isn’t about a sale, or its order was recorded by hand. Who said so, and why, is kept.',
    )
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .action((id: string, { why }: { why?: string }) => dismiss(context, { id, why: givenWhy(why) }));
  return delivery;
}

export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description(
      'Reads a kept webhook again as if it came now, but with its own time of arrival, so that it does not overtake later ones. ' +
        'For webhooks that could not be read, after an upgrade; replaying any other changes nothing that is right.',
    )
    .argument('<delivery>', 'id of the delivery (`orderbridge review` and `orderbridge order` show it)')
    .action((id: string) => withCore(context, (core) => replay(context, core, id)));
}

type Options = { refused?: true; limit: number; json?: true };

async function deliveries(context: CliContext, core: Core, { id, limit, json, ...only }: Options & { id: string }): Promise<void> {
  const { listDeliveries } = await import('../../operations/connections/store-webhooks.ts');
  const refused = only.refused === true;
  const shown = await listDeliveries(core, { id, refused, limit });
  if (json) return printJson(context, shown);
  if (shown.length === 0) return printLines(context, [refused ? 'No webhook of this connection was refused.' : 'No webhook of this connection has come yet.']);
  printTable(context, {
    header: ['time', 'result', 'topic', 'order', 'what it did', 'from'],
    rows: shown.map(row),
    give: ['from', 'topic'],
    keep: ['time', 'result', 'order'],
    tones: { result: markTone },
  });
  printLines(context, advice(shown));
}

function row({ at, result, topic, order, outcome, code, client }: ListedDelivery): (string | null)[] {
  const did = [outcome, code].filter((word) => word !== null).join(', ');
  return [localTime(at), result, topic, order?.number ?? order?.orderId ?? null, did, client].map((cell) => (cell === null ? null : oneLine(cell)));
}

/** What the reasons of refusals mean, each once. */
function advice(shown: readonly ListedDelivery[]): string[] {
  const codes = new Set(shown.flatMap(({ result, code }) => (result === 'refused' && code !== null ? [code] : [])));
  const reasons = [...codes].map((code) => `${code}: ${codeWords(code, 'en').means} ${codeWords(code, 'en').todo}`);
  return reasons.length === 0 ? [] : ['', ...reasons];
}

type ShowOptions = { body?: true; json?: true };

async function show(context: CliContext, core: Core, { id, body, json }: ShowOptions & { id: string }): Promise<void> {
  const { deliveryBody, showDelivery } = await import('../../operations/webhooks/kept-webhook.ts');
  if (body) {
    note(context, 'This is what the store sent; it holds personal data of the buyer.');
    return printContent(context, Readable.from([await deliveryBody(core, { id, by: cliActor() })]));
  }
  const shown = await showDelivery(core, id);
  if (json) printJson(context, shown);
  else printLines(context, deliveryText(shown));
}

function deliveryText({ id, storeName, topic, arrivedAt, outcome, code, detail, kept, cut, orderRef, todo }: KeptWebhook): string[] {
  return textFields([
    ['delivery', id],
    ['store', oneLine(storeName)],
    ['topic', oneLine(topic) || '(its body names the topic)'],
    ['arrived', arrivedAt],
    ['outcome', outcome],
    ...(code === null ? [] : [['why', `${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`] as const]),
    ...(orderRef === null ? [] : [['order', `id:${orderRef}`] as const]),
    ['body', bodyWords({ kept, cut })],
    ...(todo === null ? [] : [['to do', todo] as const]),
  ]);
}

function bodyWords({ kept, cut }: Pick<KeptWebhook, 'kept' | 'cut'>): string {
  const full = 'the store had sent more than KEEP_BODIES_MB on that day';
  if (!kept) return cut ? `not kept: ${full}` : 'gone';
  return `kept${cut ? `, but for what is not used: ${full}` : ''} (--body prints it; it holds personal data)`;
}

async function dismiss(context: CliContext, said: { id: string; why: string }): Promise<void> {
  const { dismissDelivery } = await import('../../operations/webhooks/kept-webhook.ts');
  await withCore(context, (core) => dismissDelivery(core, { ...said, by: cliActor() }));
  printLines(context, [`The delivery ${said.id} no longer waits for a person.`]);
}

async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const { replayDelivery } = await import('../../operations/webhooks/kept-webhook.ts');
  const addDeliveries = (job: DeliveriesJob) => withQueues(core, (queues) => queues.keepDeliveries(job));
  const { ignored } = await replayDelivery({ ...core, addDeliveries, by: cliActor() }, id);
  printLines(context, [ignored === null ? `The delivery ${id} is queued again.` : `The delivery ${id} needs nothing: ${ignored}.`]);
}
