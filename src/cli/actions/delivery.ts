import { Readable } from 'node:stream';
import type { Core } from '../../app/core.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, replayDelivery, showDelivery } from '../../operations/orders/kept-webhook.ts';
import { problemWords } from '../../operations/words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { printContent } from '../output/print-content.ts';
import { withCore } from '../with-core.ts';
import { withQueues } from '../with-queues.ts';

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
