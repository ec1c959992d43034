import { Readable } from 'node:stream';
import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { type ListedDelivery, listDeliveries } from '../../operations/connections/store-webhooks.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, replayDelivery, showDelivery } from '../../operations/orders/kept-webhook.ts';
import { codeWords, problemWords } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { printContent } from '../output/print-content.ts';
import { markTone } from '../text/tones.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

export type Options = { refused?: true; limit: number; json?: true };

export async function deliveries(context: CliContext, core: Core, { id, limit, json, ...only }: Options & { id: string }): Promise<void> {
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

export type ShowOptions = { body?: true; json?: true };

export async function show(context: CliContext, core: Core, { id, body, json }: ShowOptions & { id: string }): Promise<void> {
  if (body) {
    note(context, 'This is what the store sent; it holds personal data of the buyer.');
    return printContent(context, Readable.from([await deliveryBody(core, { id, by: cliActor() })]));
  }
  const shown = await showDelivery(core, id);
  if (json) printJson(context, shown);
  else printLines(context, deliveryText(shown));
}

function deliveryText({ id, storeName, topic, arrivedAt, outcome, code, detail, kept, orderRef, todo }: KeptWebhook): string[] {
  return textFields([
    ['delivery', id],
    ['store', oneLine(storeName)],
    ['topic', oneLine(topic) || '(its body names the topic)'],
    ['arrived', arrivedAt],
    ['outcome', outcome],
    ...(code === null ? [] : [['why', `${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`] as const]),
    ...(orderRef === null ? [] : [['order', `id:${orderRef}`] as const]),
    ['body', kept ? 'kept (--body prints it; it holds personal data)' : 'gone'],
    ...(todo === null ? [] : [['to do', todo] as const]),
  ]);
}

export async function dismiss(context: CliContext, said: { id: string; why: string }): Promise<void> {
  await withCore(context, (core) => dismissDelivery(core, { ...said, by: cliActor() }));
  printLines(context, [`The delivery ${said.id} no longer waits for a person.`]);
}

export async function replay(context: CliContext, core: Core, id: string): Promise<void> {
  const addDeliveries = (job: DeliveriesJob) => withQueues(core, (queues) => queues.addDeliveries(job));
  const { ignored } = await replayDelivery({ ...core, addDeliveries, by: cliActor() }, id);
  printLines(context, [ignored === null ? `The delivery ${id} is queued again.` : `The delivery ${id} needs nothing: ${ignored}.`]);
}
