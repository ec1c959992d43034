import { Command, Option } from 'commander';
import type { Dialect } from '../../../contract/dialect.ts';
import { form } from '../../../contract/plural.ts';
import { type CliContext, cliActor } from '../../../platform/terminal/context.ts';
import { localOrNone, localTime } from '../../../platform/terminal/local-time.ts';
import { note, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ApiKeys, IssuedKey, NewKey } from '../../../service/keys/api-keys.ts';
import { type CoreAndService, withService } from '../../with-core.ts';

export function keysCommand(context: CliContext): Command {
  const keys = new Command('keys')
    .summary('make, list, rotate and revoke API keys, and say whose a company is')
    .description('Makes, lists, rotates and revokes API keys of our own compliance service, and says whose a company is.');
  keys.addCommand(createCommand(context));
  keys.addCommand(addCommand(context));
  keys
    .command('list')
    .summary('list API keys')
    .description('Lists the API keys; of each only its beginning is known. Keys of one owner reach the same shops and orders.')
    .option('--json', 'print JSON: an array of keys')
    .action((options: { json?: true }) => withService(context, ({ service }) => listKeys(context, service.keys, options)));
  keys
    .command('rotate')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .summary('replace an API key by a new one')
    .description(
      'Makes a new key with a new secret for the same owner and prints it once; the old key ends 24 hours later. If it is the key of orderbridge itself, ' +
        'orderbridge uses the new one from then on. If the old key is known to somebody else, revoke it as soon as the new one is in use.',
    )
    .option('--json', 'print JSON: id, apiKey, apiSecret, endsAt, isOurs')
    .action((id: string, options: { json?: true }) => withService(context, (opened) => rotate(context, opened, { id, ...options })));
  keys
    .command('revoke')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .summary('revoke an API key')
    .description(
      'Ends an API key for good. Running servers notice within 10 s. Its shops and orders stay; only other keys of its owner reach them (`rotate`, or `add` before).',
    )
    .action((id: string) => withService(context, ({ service }) => revoke(context, service.keys, id)));
  keys.addCommand(keysGrantCommand(context));
  return keys;
}

function createCommand(context: CliContext): Command {
  return withKeyOptions(new Command('create').summary('make an API key'))
    .description('Makes an API key of a new owner and prints it with its secret, which is not shown again.')
    .option('--test', 'its shops are for tests: numbers of their own, documents marked as tests, and no files of months')
    .action((options: NewKeyOptions) => withService(context, ({ service }) => createKey(context, service.keys, options)));
}

function addCommand(context: CliContext): Command {
  return withKeyOptions(new Command('add').summary('make another API key of an owner'))
    .description('Makes another API key of an owner and prints it with its secret, which is not shown again. It reaches the same shops and orders.')
    .requiredOption('--owner <id>', 'id of any key of the owner, from `orderbridge service keys list`')
    .action((options: NewKeyOptions & { owner: string }) => withService(context, ({ service }) => addAnother(context, service.keys, options)));
}

function withKeyOptions(command: Command): Command {
  command.option('--multi-shop', 'the key may create several shops; without it, one').option('--label <text>', 'what the key is for');
  for (const option of dialectOptions()) command.addOption(option);
  return command.option('--json', 'print JSON: id, apiKey, apiSecret');
}

function dialectOptions(): Option[] {
  return [
    dialectOption('--signature-algorithm', ['sha256', 'sha512', 'sha1'], 'hash of the signature'),
    dialectOption('--signature-encoding', ['hex', 'base64'], 'how the signature is written'),
    dialectOption(
      '--signature-empty-body',
      ['empty-string', 'omit'],
      'what a request without a body signs; with omit the key without its secret is enough to delete orders',
    ),
    dialectOption('--amounts', ['decimal', 'minor'], 'unit of prices, discounts and sums: 12.9, or 1290'),
    dialectOption('--vat-rate', ['percent', 'fraction'], 'how VAT rates are written: 20, or 0.2'),
  ];
}

function dialectOption(flag: string, choices: readonly string[], words: string): Option {
  return new Option(`${flag} <value>`, `${words}; default ${choices[0]}`).choices(choices);
}

/** `orderbridge service keys grant` */
function keysGrantCommand(context: CliContext): Command {
  return new Command('grant')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .argument('<uic>', 'company number (ЕИК)')
    .summary('let the owner of a key create shops of a company')
    .description(
      'A company belongs to the owner whose key used its number first; this lets another one in, who then shares its sequence of document numbers. ' +
        'Make sure that the company is theirs. Of a company that several owners had already, it confirms that one of them is right.',
    )
    .option('--move', 'take the company away from all others: they create no more shops of it, and those that they have take no new orders')
    .action((id: string, companyUic: string, options: { move?: true }) =>
      withService(context, (opened) => grant(context, opened, { id, companyUic, ...options })),
    );
}

type NewKeyOptions = Partial<Omit<Dialect, 'idempotencyKey'>> & { multiShop?: true; label?: string; test?: true; json?: true };

async function createKey(context: CliContext, keys: ApiKeys, { multiShop, json, ...options }: NewKeyOptions): Promise<void> {
  const key: NewKey = { multiShop: multiShop === true, ...options };
  const created = await keys.create(key, { by: cliActor() });
  if (json) printJson(context, { ...created, label: null, ...key });
  else printKey(context, created);
}

async function addAnother(context: CliContext, keys: ApiKeys, { owner, multiShop, json, ...options }: NewKeyOptions & { owner: string }): Promise<void> {
  const { addKey } = await import('../../../operations/service/keys.ts');
  const key: NewKey = { multiShop: multiShop === true, ...options };
  const added = await addKey(keys, { owner, key, by: cliActor() });
  if (json) printJson(context, { ...added, label: null, ...key });
  else printKey(context, added);
}

async function rotate(context: CliContext, { core, service }: CoreAndService, { id, json }: { id: string; json?: true }): Promise<void> {
  const { rotateKey } = await import('../../../operations/service/keys.ts');
  const { isOurs, endsAt, ...issued } = await rotateKey({ keys: service.keys, destinations: core.destinations }, { id, by: cliActor() });
  if (json) return printJson(context, { ...issued, endsAt, isOurs });
  if (isOurs) printLines(context, [`orderbridge itself uses the new key ${issued.id} within 10 s; there is nothing else to do.`]);
  else printKey(context, issued);
  printLines(context, [`The old key ${id} is valid until ${localTime(endsAt)}; \`orderbridge service keys revoke ${id}\` ends it sooner.`]);
}

function printKey(context: CliContext, { id, apiKey, apiSecret }: IssuedKey): void {
  printLines(context, [
    ...textFields([
      ['id', id],
      ['apiKey', apiKey],
      ['apiSecret', apiSecret],
    ]),
    '',
    'Keep the secret: it is not shown again.',
  ]);
}

async function listKeys(context: CliContext, keys: ApiKeys, { json }: { json?: true }): Promise<void> {
  const { embeddedDialect } = await import('../../../contract/dialect.ts');
  const all = await keys.list();
  if (json) return printJson(context, all);
  const hints = new Map(all.map(({ id, hint, label }) => [id, label ?? `${hint}…`]));
  const rows = all.map(({ id, ownerId, hint, label, multiShop, test, dialect, createdAt, endsAt, revokedAt }) => [
    label,
    `${hint}…`,
    multiShop ? 'several' : 'one',
    peculiarities(dialect, embeddedDialect),
    ownerId === id ? null : (hints.get(ownerId) ?? ownerId),
    test ? 'test' : null,
    localTime(createdAt),
    localOrNone(endsAt),
    localOrNone(revokedAt),
    id,
  ]);
  const header = ['label', 'key', 'shops', 'dialect', 'owner', 'kind', 'made', 'ends', 'revoked', 'id'] as const;
  printTable(context, { header, rows, give: ['dialect', 'made', 'shops', 'owner'], keep: ['id'] });
}

/** The part of the dialect that differs from the default of keys. */
function peculiarities(dialect: Dialect, usual: Dialect): string {
  const known = new Set<string>(Object.values(usual));
  return Object.values(dialect)
    .filter((value) => !known.has(value))
    .join(' ');
}

async function revoke(context: CliContext, keys: ApiKeys, id: string): Promise<void> {
  const { revokeKey } = await import('../../../operations/service/keys.ts');
  await revokeKey(keys, { id, by: cliActor() });
  printLines(context, [`The key ${id} is revoked.`]);
}

async function grant(context: CliContext, { core }: CoreAndService, { id, companyUic, move }: { id: string; companyUic: string; move?: true }): Promise<void> {
  const { grantCompany } = await import('../../../operations/service/keys.ts');
  const { ownerId, from } = await grantCompany(core, { id, companyUic, move: move === true, by: cliActor() });
  printLines(context, [
    `The owner of the key ${ownerId} may create shops of the company ${companyUic}.`,
    ...from.map((one) => `The owner of the key ${one.ownerId} no longer may.`),
  ]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0))
    note(
      context,
      `Warning: the owner of the key ${other} has ${form.en(shops, 'a shop of this company, which takes', `${shops} shops of this company, which take`)} no new orders; ` +
        `what they recorded can be corrected, and is to be filed; \`orderbridge service numbers show ${companyUic}\` lists all.`,
    );
}
