import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CreateShopDto } from '../../contract/shop-dto.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';

type FieldName = keyof CreateShopDto;
type Field = { flag: string; about: string; parse?: (text: string) => unknown };

// Every documented field of a shop. The service checks their values.
const fields: Record<FieldName, Field> = {
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
export type ShopFieldOptions = { file?: string } & Partial<Record<FieldName, unknown>>;

/** Adds a flag for each documented field, and --file. */
export function addShopFields(command: Command): Command {
  for (const { flag, about, parse } of Object.values(fields)) {
    const option = new Option(flag, about);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  return command.option('--file <file>', 'JSON file with any of these fields, named as in the documentation (customerPhone); flags come before it');
}

/** The request body from file and flags. */
export async function readShopFields(context: CliContext, options: ShopFieldOptions): Promise<Record<string, unknown>> {
  const given = Object.keys(fields).flatMap((name) => (isField(name) && options[name] !== undefined ? [[name, options[name]] as const] : []));
  const body = { ...(options.file === undefined ? {} : await objectIn(context, options.file)), ...Object.fromEntries(given) };
  if (Object.keys(body).length === 0) throw new CliError('no field is given; name fields by flags, or a JSON file with --file');
  return body;
}

async function objectIn(context: CliContext, file: string): Promise<object> {
  const { readJsonFile } = await import('./read-file.ts');
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
