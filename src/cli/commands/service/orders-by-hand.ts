import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import { createByHand, deleteByHand, lookBeforeDelete } from '../../../operations/service/orders-by-hand.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { confirm } from '../../input/confirm.ts';
import { readJsonFile } from '../../input/read-json-file.ts';
import { withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';

type CreateOptions = { file: string; shop?: string; why?: string; json?: true };
type DeleteOptions = { why?: string; yes?: true };
type Opened = { core: Core; service: ComplianceService };

/** `orderbridge service orders create` */
export function createOrderCommand(context: CliContext): Command {
  return new Command('create')
    .summary('record an order by hand')
    .description(
      'Records an order by hand, for one that orderbridge can’t decide. Run again with the same order, it finds the recorded one. ' +
        'Then `orderbridge settle ORDER --recorded ID` says which order it is of. The fields are those of CreateOrderDto ' +
        '(docs/compliance-service.md), amounts in decimals.',
    )
    .requiredOption('--file <file>', 'the order: a JSON file')
    .option('--shop <id>', 'id of the shop, if the order names none')
    .option('--why <words>', 'why, for the trail')
    .option('--json', 'print JSON: {id, documentNumber, isNew}')
    .action((options: CreateOptions) => withService(context, (opened) => create(context, opened, options)));
}

/** `orderbridge service orders delete` */
export function deleteOrderCommand(context: CliContext): Command {
  return new Command('delete')
    .argument('<id>', 'id of the order at the compliance service')
    .summary('delete a recorded order')
    .description(
      'Deletes a recorded order, as the API does: its number is voided, or in a closed month it becomes a return. ' +
        'orderbridge does not notice that a record of its own is gone; what follows then is said before. Asks first.',
    )
    .option('--why <words>', 'why, for the trail')
    .option('--yes', 'do not ask')
    .action((id: string, options: DeleteOptions) => withService(context, (opened) => remove(context, opened, { id, ...options })));
}

async function create(context: CliContext, { core, service }: Opened, { file, shop, why, json }: CreateOptions): Promise<void> {
  const given = { ...(shop === undefined ? {} : { shop }), ...(why === undefined ? {} : { why }) };
  const created = await createByHand({ pool: core.pool, service }, { body: await readJsonFile(context, file), by: cliActor(), ...given });
  if (json) return printJson(context, created);
  const { id, documentNumber, isNew } = created;
  const { orders: say } = wordsFor(context).service;
  printLines(context, [(isNew ? say.recorded : say.already)(id, documentNumber), say.settle(`orderbridge settle ORDER --recorded ${id} --why "…"`)]);
}

async function remove(context: CliContext, { core, service }: Opened, { id, why, yes }: DeleteOptions & { id: string }): Promise<void> {
  const { recorded, order } = await lookBeforeDelete(core, id);
  const { internalNumber, total, precision, currency } = recorded;
  const { orders: say } = wordsFor(context).service;
  note(context, say.about(id, internalNumber, `${total.toFixed(precision)} ${currency}`));
  if (order !== null) note(context, say.held(order.id, order.name));
  if (yes === undefined) await confirm(context, say.ask);
  await deleteByHand({ service }, { id, by: cliActor(), ...(why === undefined ? {} : { why }) });
  printLines(context, [say.deleted(id)]);
}
