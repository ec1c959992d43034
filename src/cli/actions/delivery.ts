import { Readable } from 'node:stream';
import type { Core } from '../../app/core.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, showDelivery } from '../../operations/orders/kept-webhook.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { printContent } from '../output/print-content.ts';
import { withCore } from '../with-core.ts';
import { en } from '../words/en.ts';

export type ShowOptions = { body?: true; json?: true };

export async function show(context: CliContext, core: Core, { id, body, json }: ShowOptions & { id: string }): Promise<void> {
  if (body) {
    note(context, en.reading.delivery.personal);
    return printContent(context, Readable.from([await deliveryBody(core, { id, by: cliActor() })]));
  }
  const shown = await showDelivery(core, id);
  if (json) printJson(context, shown);
  else printLines(context, deliveryText(shown));
}

function deliveryText({ id, storeName, topic, arrivedAt, outcome, code, detail, kept, orderRef, todo }: KeptWebhook): string[] {
  const { delivery: say } = en.reading;
  const { fields } = say;
  return textFields([
    [fields.delivery, id],
    [fields.store, oneLine(storeName)],
    [fields.topic, oneLine(topic) || say.topicInBody],
    [fields.arrived, arrivedAt],
    [fields.outcome, outcome],
    ...(code === null ? [] : [[fields.why, `${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`] as const]),
    ...(orderRef === null ? [] : [[fields.order, `id:${orderRef}`] as const]),
    [fields.body, kept ? say.kept : say.gone],
    ...(todo === null ? [] : [[fields.toDo, todo] as const]),
  ]);
}

export async function dismiss(context: CliContext, said: { id: string; why: string }): Promise<void> {
  await withCore(context, (core) => dismissDelivery(core, { ...said, by: cliActor() }));
  printLines(context, [en.reading.delivery.dismissed(said.id)]);
}
