import { Command, Option } from 'commander';
import { type Dialect, embeddedDialect } from '../../../contract/dialect.ts';
import { revokeKey } from '../../../operations/service/revoke-key.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { textFields } from '../../../platform/terminal/text-table.ts';
import type { ApiKeys, NewKey } from '../../../service/keys/api-keys.ts';
import { cliActor } from '../../actor.ts';
import { withService } from '../../with-core.ts';

type KeyDialect = Omit<Dialect, 'idempotencyKey'>;
type NewKeyOptions = Partial<KeyDialect> & { multiShop?: true; label?: string; json?: true };

/** `orderbridge service keys` */
export function keysCommand(context: CliContext): Command {
  const keys = new Command('keys').summary('make, list and revoke API keys').description('Makes, lists and revokes API keys of our own compliance service.');
  const create = keys
    .command('create')
    .summary('make an API key')
    .description('Makes an API key and prints it with its secret, which is not shown again.')
    .option('--multi-shop', 'the key may create several shops; without it, one')
    .option('--label <text>', 'what the key is for');
  for (const option of dialectOptions()) create.addOption(option);
  create
    .option('--json', 'print JSON: id, apiKey, apiSecret')
    .action((options: NewKeyOptions) => withService(context, ({ service }) => createKey(context, service.keys, options)));
  keys
    .command('list')
    .summary('list API keys')
    .description('Lists the API keys; of each only its beginning is known.')
    .option('--json', 'print JSON: an array of keys')
    .action((options: { json?: true }) => withService(context, ({ service }) => listKeys(context, service.keys, options)));
  keys
    .command('revoke')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .summary('revoke an API key')
    .description('Ends an API key for good. Running servers notice within 10 s. Its shops and orders stay; no other key can reach them.')
    .action((id: string) => withService(context, ({ service }) => revoke(context, service.keys, id)));
  return keys;
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

async function createKey(context: CliContext, keys: ApiKeys, { multiShop, json, ...options }: NewKeyOptions): Promise<void> {
  const key: NewKey = { multiShop: multiShop === true, ...options };
  const created = await keys.create(key, { by: cliActor() });
  if (json) return printJson(context, { ...created, label: null, ...key });
  const { id, apiKey, apiSecret } = created;
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
  const all = await keys.list();
  if (json) return printJson(context, all);
  const rows = all.map(({ id, hint, label, multiShop, dialect, createdAt, revokedAt }) => [
    label,
    `${hint}…`,
    multiShop ? 'several' : 'one',
    peculiarities(dialect),
    localTime(createdAt),
    revokedAt === null ? null : localTime(revokedAt),
    id,
  ]);
  const header = ['label', 'key', 'shops', 'dialect', 'made', 'revoked', 'id'];
  printTable(context, { header, rows, give: ['dialect', 'made', 'shops'], keep: ['id'] });
}

/** The part of the dialect that differs from the default of keys. */
function peculiarities(dialect: Dialect): string {
  const usual = new Set<string>(Object.values(embeddedDialect));
  return Object.values(dialect)
    .filter((value) => !usual.has(value))
    .join(' ');
}

async function revoke(context: CliContext, keys: ApiKeys, id: string): Promise<void> {
  await revokeKey(keys, { id, by: cliActor() });
  printLines(context, [`The key ${id} is revoked.`]);
}
