import { Command } from 'commander';
import { openComplianceAccess } from '../../app/compliance-access.ts';
import { openComplianceClient } from '../../app/compliance-client.ts';
import type { Core } from '../../app/core.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { createShop, deleteShop, type RefusedShop, type ShopDeps, updateShop } from '../../operations/compliance-shop/change-shop.ts';
import type { FieldWords } from '../../operations/compliance-shop/shop-answer.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { month } from '../input/arguments.ts';
import { checkSecretFlags, KEY_FLAGS, type KeyOptions, readCredentials } from '../input/read-secret.ts';
import { addShopFields, readShopFields, type ShopFieldOptions } from '../input/shop-fields.ts';
import { whyOption } from '../input/why.ts';
import { refusedShopText } from '../text/refused-shop-text.ts';
import { withCore } from '../with-core.ts';
import { wordsFor } from '../words/words.ts';

type Options = KeyOptions & { json?: true };

/** `orderbridge shop` */
export function shopCommand(context: CliContext): Command {
  const creating = addShopFields(new Command('create'))
    .summary('create a shop')
    .description('Creates a shop at the compliance service and prints its id, which `orderbridge connect` needs. A key may have one shop, or several.')
    .action((options: Options & ShopFieldOptions) => create(context, options));
  const updating = addShopFields(new Command('update').argument('<id>', 'id of the shop'))
    .option('--valid-from <month>', 'the first month whose file bears the new number, domain or company, such as 2026-11', month)
    .summary('change fields of a shop')
    .description(
      'Changes the fields that are given; all others stay. Another number, domain or company is a correction: the months that are not filed bear it, unless --valid-from says from which month on it counts.',
    )
    .action((id: string, options: Options & ShopFieldOptions & { validFrom?: string }) => update(context, id, options));
  const deleting = new Command('delete')
    .argument('<id>', 'id of the shop')
    .requiredOption('--name <text>', 'the exact name of the shop, so that the wrong one is not deleted')
    .addOption(whyOption())
    .summary('delete a shop with all its orders, for good')
    .description('Deletes a shop with all of its orders, receipts and audit files. This can’t be undone.')
    .action((id: string, options: Deletion) => remove(context, id, options));
  const shop = new Command('shop').description('Shop operations of the compliance service, through our signed client.');
  for (const command of [creating, updating, deleting]) {
    shop.addCommand(
      command
        .option(...KEY_FLAGS.key)
        .option(...KEY_FLAGS.secret)
        .option('--json', 'print the service’s whole answer as JSON'),
    );
  }
  return shop;
}

async function create(context: CliContext, options: Options & ShopFieldOptions): Promise<void> {
  const fields = await readShopFields(context, options);
  const { id, ...changed } = await atService(context, options, (deps) => createShop(deps, fields));
  report(context, options, { ...changed, lines: [id] });
}

async function update(context: CliContext, id: string, options: Options & ShopFieldOptions & { validFrom?: string }): Promise<void> {
  const { validFrom } = options;
  const fields = { ...(await readShopFields(context, options)), ...(validFrom !== undefined && { validFrom }) };
  const changed = await atService(context, options, (deps) => updateShop(deps, id, fields));
  const { shop: say } = wordsFor(context).work;
  report(context, options, { ...changed, lines: [say.updated(id)] });
}

type Deletion = Options & { name: string; why?: string };

async function remove(context: CliContext, id: string, options: Deletion): Promise<void> {
  const { orders, ...changed } = await atService(context, options, (deps) => deleteShop(deps, { id, name: options.name, why: options.why }));
  const { shop: say } = wordsFor(context).work;
  report(context, options, { ...changed, lines: [say.deleted(id, orders)] });
}

type Changed = { answer: Record<string, unknown>; warnings: readonly FieldWords[]; lines: string[] };

function report(context: CliContext, { json }: Options, { answer, warnings, lines }: Changed): void {
  if (json) printJson(context, answer);
  else printLines(context, lines);
  for (const { path, message } of warnings) note(context, wordsFor(context).work.core.warning(`${path}: ${message}`));
}

/** The answer of the service to `change`; a refusal is a CliError. */
async function atService<T extends { ok: true }>(context: CliContext, options: Options, change: (deps: ShopDeps) => Promise<T | RefusedShop>): Promise<T> {
  checkSecretFlags(context, { '--compliance-key': options.complianceKey, '--compliance-secret': options.complianceSecret });
  const credentials = await readCredentials(context, options);
  const answered = await withCore(context, async (core: Core) => {
    await using access = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    const tell: ShopDeps['tell'] = (act) => writeBridgeActs(core.pool, [act]);
    return await change({ client, endpoint: await access.endpoint(credentials), by: cliActor(), tell });
  });
  if (!answered.ok) throw new CliError(refusedShopText(answered, wordsFor(context)));
  return answered;
}
