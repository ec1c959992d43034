import { Readable } from 'node:stream';
import type { Core } from '../../app/core.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, showDelivery } from '../../operations/orders/kept-webhook.ts';
import { codeWords } from '../../operations/words/code-words.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { printContent } from '../output/print-content.ts';
import { cellWords } from '../output/print-table.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

export type ShowOptions = { body?: true; json?: true };

export async function show(context: CliContext, core: Core, { id, body, json }: ShowOptions & { id: string }): Promise<void> {
  if (body) {
    note(context, wordsFor(context).reading.delivery.personal);
    return printContent(context, Readable.from([await deliveryBody(core, { id, by: cliActor() })]));
  }
  const shown = await showDelivery(core, id);
  if (json) printJson(context, shown);
  else printLines(context, deliveryText(shown, context));
}

function deliveryText({ id, storeName, topic, arrivedAt, outcome, code, detail, kept, orderRef, todo }: KeptWebhook, context: CliContext): string[] {
  const { delivery: say } = wordsFor(context).reading;
  const { fields } = say;
  const lang = context.lang ?? 'en';
  return textFields([
    [fields.delivery, id],
    [fields.store, oneLine(storeName)],
    [fields.topic, oneLine(topic) || say.topicInBody],
    [fields.arrived, arrivedAt],
    [fields.outcome, cellWords('outcome', outcome, lang)],
    ...(code === null ? [] : [[fields.why, `${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, lang))}`] as const]),
    ...(orderRef === null ? [] : [[fields.order, `id:${orderRef}`] as const]),
    [fields.body, kept ? say.kept : say.gone],
    ...(todo === null ? [] : [[fields.toDo, code === null || lang === 'en' ? todo : codeWords(code, lang).todo] as const]),
  ]);
}

export async function dismiss(context: CliContext, said: { id: string; why: string }): Promise<void> {
  await withCore(context, (core) => dismissDelivery(core, { ...said, by: cliActor() }));
  printLines(context, [wordsFor(context).reading.delivery.dismissed(said.id)]);
}
