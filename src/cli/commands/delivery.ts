import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { deliveryBody, dismissDelivery, type KeptWebhook, showDelivery } from '../../operations/orders/kept-webhook.ts';
import { codeWords } from '../../operations/words/code-words.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { givenWhy } from '../input/order-input.ts';
import { printContent } from '../output/print-content.ts';
import { cellWords } from '../output/print-table.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type ShowOptions = { body?: true; json?: true };

const ID = 'id of the delivery (`orderbridge parked`, `orderbridge order` and `orderbridge deliveries --json` show it)';

/** `orderbridge delivery` */
export function deliveryCommand(context: CliContext): Command {
  const delivery = new Command('delivery').description('One kept webhook: what it was, its body, and whether it still waits for a person.');
  delivery
    .command('show')
    .argument('<id>', ID)
    .summary('show a kept webhook')
    .description(
      'Shows a kept webhook: its store, topic, time, what became of it and why. Its body is printed with --body alone: it holds the buyer’s name and address, and that you looked goes into the trail.',
    )
    .option('--body', 'print the body as the store sent it, and nothing else; it holds personal data of the buyer')
    .option('--json', 'print JSON, without the body')
    .action((id: string, options: ShowOptions) => withCore(context, (core) => show(context, core, { id, ...options })));
  delivery
    .command('dismiss')
    .argument('<id>', ID)
    .summary('say that a webhook that can’t be read needs nothing')
    .description(
      'Takes a parked webhook off the list of what waits for a person: it is of no sale, or its order was recorded by hand. Who said so, and why, is kept.',
    )
    .option('--why <words>', 'why, in words that somebody else understands later; needed')
    .action((id: string, { why }: { why?: string }) => dismiss(context, { id, why: givenWhy(why) }));
  return delivery;
}

async function show(context: CliContext, core: Core, { id, body, json }: ShowOptions & { id: string }): Promise<void> {
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

async function dismiss(context: CliContext, said: { id: string; why: string }): Promise<void> {
  await withCore(context, (core) => dismissDelivery(core, { ...said, by: cliActor() }));
  printLines(context, [wordsFor(context).reading.delivery.dismissed(said.id)]);
}
