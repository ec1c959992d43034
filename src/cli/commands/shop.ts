import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { createComplianceClient } from '../../bridge/client/create-compliance-client.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { openComplianceAccess } from '../compliance-access.ts';
import { KEY_FLAGS, type KeyOptions, oneFromStdin, readCredentials } from '../input/read-secret.ts';
import { addShopFields, readShopFields, type ShopFieldOptions } from '../input/shop-fields.ts';
import { refusal, warningsOf } from '../shop-answer.ts';
import { withCore } from '../with-core.ts';

type Options = KeyOptions & { json?: true };
type Request = { method: 'POST' | 'PUT' | 'DELETE'; id?: string; body: unknown };

/** `orderbridge shop` */
export function shopCommand(context: CliContext): Command {
  const create = addShopFields(new Command('create'))
    .summary('create a shop')
    .description('Creates a shop at the compliance service and prints its id, which `orderbridge connect` asks for. A key may have one shop, or several.')
    .action((options: Options & ShopFieldOptions) => createShop(context, options));
  const update = addShopFields(new Command('update').argument('<id>', 'id of the shop'))
    .summary('change fields of a shop')
    .description('Changes the fields that are given; all others stay.')
    .action((id: string, options: Options & ShopFieldOptions) => updateShop(context, id, options));
  const remove = new Command('delete')
    .argument('<id>', 'id of the shop')
    .requiredOption('--name <text>', 'the exact name of the shop, so that nobody deletes the wrong one')
    .summary('delete a shop with all its orders, for good')
    .description('Deletes a shop with all of its orders, receipts and audit files. This can’t be undone.')
    .action((id: string, options: Options & { name: string }) => deleteShop(context, id, options));
  const shop = new Command('shop').description('Shop operations of the compliance service, through our signed client.');
  for (const command of [create, update, remove]) {
    shop.addCommand(
      command
        .option(...KEY_FLAGS.key)
        .option(...KEY_FLAGS.secret)
        .option('--json', 'print the service’s whole answer as JSON'),
    );
  }
  return shop;
}

async function createShop(context: CliContext, options: Options & ShopFieldOptions): Promise<void> {
  const body = await readShopFields(context, options);
  const answer = await send(context, options, { method: 'POST', body });
  const id = answer['id'];
  if (typeof id !== 'string') throw new CliError('the compliance service made the shop, but its answer has no id; look the shop up there');
  report(context, options, { answer, lines: [id] });
}

async function updateShop(context: CliContext, id: string, options: Options & ShopFieldOptions): Promise<void> {
  const body = await readShopFields(context, options);
  const answer = await send(context, options, { method: 'PUT', id, body });
  report(context, options, { answer, lines: [`The shop ${id} is updated.`] });
}

async function deleteShop(context: CliContext, id: string, options: Options & { name: string }): Promise<void> {
  const answer = await send(context, options, { method: 'DELETE', id, body: { name: options.name } });
  const orders = typeof answer['deletedOrders'] === 'number' ? `, with ${answer['deletedOrders']} orders` : '';
  report(context, options, { answer, lines: [`The shop ${id} is deleted${orders}.`] });
}

type Answer = Record<string, unknown>;

function report(context: CliContext, { json }: Options, { answer, lines }: { answer: Answer; lines: string[] }): void {
  if (json) printJson(context, answer);
  else printLines(context, lines);
  for (const warning of warningsOf(answer)) note(context, `Warning: ${warning}`);
}

async function send(context: CliContext, options: Options, request: Request): Promise<Answer> {
  oneFromStdin({ '--compliance-key': options.complianceKey, '--compliance-secret': options.complianceSecret });
  const credentials = await readCredentials(context, options);
  const { status, body } = await withCore(context, async (core: Core) => {
    await using access = await openComplianceAccess(core);
    await using client = createComplianceClient({ timeouts: core.config.timeouts });
    return await client.shop(await access.endpoint(credentials), request);
  });
  if (status < 200 || status > 299) throw new CliError(refusal(status, body));
  return body !== null && typeof body === 'object' ? { ...body } : {};
}
