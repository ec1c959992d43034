import { Command, InvalidArgumentError, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import type { CreateShopDto } from '../../contract/shop-dto.ts';
import type { FieldWords, RefusedShop, ShopDeps } from '../../operations/service/shops.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { month } from '../input/arguments.ts';
import { readJsonFile } from '../input/read-file.ts';
import { checkSecretFlags, readCredentials } from '../input/read-secret.ts';
import { KEY_FLAGS, type KeyOptions, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

type FieldName = keyof CreateShopDto;

// Every documented field of a shop. The service checks their values.
const fields: Record<FieldName, { flag: string; about: string; parse?: (text: string) => unknown }> = {
  name: { flag: '--name <text>', about: 'name of the shop' },
  domain: { flag: '--domain <domain>', about: 'its domain name' },
  customerPhone: { flag: '--customer-phone <phone>', about: 'phone for customers, in international format' },
  customerEmail: { flag: '--customer-email <address>', about: 'e-mail address for customers' },
  nraNumber: { flag: '--nra-number <number>', about: 'registration number with the National Revenue Agency, RF and seven digits' },
  companyUic: { flag: '--company-uic <number>', about: 'company identification number (ЕИК)' },
  companyName: { flag: '--company-name <text>', about: 'legal name of the company' },
  companyAddress: { flag: '--company-address <text>', about: 'legal address of the company' },
  vatGroup: { flag: '--vat-group <group>', about: 'VAT group of the shop, such as GROUP_B' },
  auditGenerationDay: { flag: '--audit-generation-day <day>', about: 'day of the month on which the audit file is made', parse: wholeNumber },
  auditRecipientEmails: { flag: '--audit-recipient-emails <addresses>', about: 'who else gets the audit file, separated by commas', parse: list },
  auditNoReceiptOrders: { flag: '--audit-no-receipt-orders <true|false>', about: 'whether orders without a receipt go into the audit file', parse: truth },
  returnPaymentMethod: { flag: '--return-payment-method <method>', about: 'how money is given back, such as IBAN' },
  receiptStartNumber: { flag: '--receipt-start-number <number>', about: 'number of the first receipt', parse: wholeNumber },
};

/** The shop fields given to a command; flags override the file. */
type ShopFieldOptions = { file?: string } & Partial<Record<FieldName, unknown>>;

/** Adds a flag for each documented field, and --file. */
function addShopFields(command: Command): Command {
  for (const { flag, about, parse } of Object.values(fields)) {
    const option = new Option(flag, about);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  return command.option('--file <file>', 'JSON file with any of these fields, named as in the documentation (customerPhone); flags come before it');
}

/** The request body from file and flags. */
async function readShopFields(context: CliContext, options: ShopFieldOptions): Promise<Record<string, unknown>> {
  const given = Object.keys(fields).flatMap((name) => (isField(name) && options[name] !== undefined ? [[name, options[name]] as const] : []));
  const body = { ...(options.file === undefined ? {} : await objectIn(context, options.file)), ...Object.fromEntries(given) };
  if (Object.keys(body).length === 0) throw new CliError('no field is given; name fields by flags, or a JSON file with --file');
  return body;
}

async function objectIn(context: CliContext, file: string): Promise<object> {
  const value = await readJsonFile(context, file);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new CliError(`${file} must hold a JSON object with the fields of a shop`);
  return value;
}

function isField(name: string): name is FieldName {
  return name in fields;
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function truth(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

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

type Options = KeyOptions & { json?: true };

async function create(context: CliContext, options: Options & ShopFieldOptions): Promise<void> {
  const { createShop } = await import('../../operations/service/shops.ts');
  const fields = await readShopFields(context, options);
  const { id, ...changed } = await atService(context, options, (deps) => createShop(deps, fields));
  report(context, options, { ...changed, lines: [id] });
}

async function update(context: CliContext, id: string, options: Options & ShopFieldOptions & { validFrom?: string }): Promise<void> {
  const { updateShop } = await import('../../operations/service/shops.ts');
  const { validFrom } = options;
  const fields = { ...(await readShopFields(context, options)), ...(validFrom !== undefined && { validFrom }) };
  const changed = await atService(context, options, (deps) => updateShop(deps, id, fields));
  report(context, options, { ...changed, lines: [`The shop ${id} is updated.`] });
}

type Deletion = Options & { name: string; why?: string };

async function remove(context: CliContext, id: string, options: Deletion): Promise<void> {
  const { deleteShop } = await import('../../operations/service/shops.ts');
  const { orders, ...changed } = await atService(context, options, (deps) => deleteShop(deps, { id, name: options.name, why: options.why }));
  report(context, options, { ...changed, lines: [`The shop ${id} is deleted${orders === null ? '' : `, with ${orders} orders`}.`] });
}

type Changed = { answer: Record<string, unknown>; warnings: readonly FieldWords[]; lines: string[] };

function report(context: CliContext, { json }: Options, { answer, warnings, lines }: Changed): void {
  if (json) printJson(context, answer);
  else printLines(context, lines);
  for (const { path, message } of warnings) note(context, `Warning: ${path}: ${message}`);
}

/** The answer of the service to `change`; a refusal is a CliError. */
async function atService<T extends { ok: true }>(context: CliContext, options: Options, change: (deps: ShopDeps) => Promise<T | RefusedShop>): Promise<T> {
  const { openComplianceAccess, openComplianceClient } = await import('../../app/compliance-api.ts');
  const { toAuditLog } = await import('../../operations/service/shops.ts');
  checkSecretFlags(context, { '--compliance-key': options.complianceKey, '--compliance-secret': options.complianceSecret });
  const credentials = await readCredentials(context, options);
  const answered = await withCore(context, async (core: Core) => {
    await using access = await openComplianceAccess(core);
    await using client = openComplianceClient(core.config);
    return await change({ client, endpoint: await access.endpoint(credentials), by: cliActor(), tell: toAuditLog(core.pool) });
  });
  if (!answered.ok) throw new CliError(refusedShopText(answered));
  return answered;
}

/** Why the compliance service refused, field by field where it names them. */
export function refusedShopText({ status, words, fields }: RefusedShop): string {
  const advice = status === 401 || status === 403 ? '; check the API key and its secret (`orderbridge doctor`)' : '';
  return [
    `the compliance service answered ${status}: ${words}${advice}`,
    ...fields.map(({ path, message }) => `  ${flagOf(path)}: ${message}${guessOf(path)}`),
  ].join('\n');
}

/** The name of a field of the body, without places inside of it. */
function nameOf(path: string): string {
  return path.split(/[.[]/)[0] ?? '';
}

function guessOf(path: string): string {
  const name = nameOf(path);
  return name === '' || isField(name) ? '' : didYouMean(name, Object.keys(fields));
}

/** A field as it is named in the documentation, with the flag that sets it. */
function flagOf(path: string): string {
  const name = nameOf(path);
  if (name === '') return 'body';
  return isField(name) ? `${path} (--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})` : path;
}
