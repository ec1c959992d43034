import { Command } from 'commander';
import { openService } from '../app/embedded-service.ts';
import type { ApiKeys } from '../compliance/service/keys/api-keys.ts';
import type { CliContext } from './context.ts';
import { printJson, printLines } from './print.ts';
import { textFields, textTable } from './text-table.ts';
import { withCore } from './with-core.ts';

type NewKeyOptions = { multiShop?: true; label?: string; json?: true };

/** `orderbridge service` */
export function serviceCommand(context: CliContext): Command {
  const keys = new Command('keys').description('Makes and lists API keys of our own compliance service.').summary('make and list API keys');
  keys
    .command('create')
    .summary('make an API key')
    .description('Makes an API key and prints it with its secret, which is shown here and never again.')
    .option('--multi-shop', 'the key may create several shops; without it, one')
    .option('--label <text>', 'what the key is for')
    .option('--json', 'print JSON: id, apiKey, apiSecret')
    .action((options: NewKeyOptions) => withKeys(context, (apiKeys) => createKey(context, apiKeys, options)));
  keys
    .command('list')
    .summary('list API keys')
    .description('Lists the API keys; of each only its beginning is known.')
    .option('--json', 'print JSON: an array of keys')
    .action((options: { json?: true }) => withKeys(context, (apiKeys) => listKeys(context, apiKeys, options)));
  return new Command('service').description('Manages our own compliance service, which this database holds.').addCommand(keys);
}

function withKeys(context: CliContext, work: (keys: ApiKeys) => Promise<void>): Promise<void> {
  return withCore(context, async (core) => {
    await using service = await openService(core);
    await work(service.keys);
  });
}

async function createKey(context: CliContext, keys: ApiKeys, { multiShop, label, json }: NewKeyOptions): Promise<void> {
  const created = await keys.create({ multiShop: multiShop === true, ...(label !== undefined && { label }) });
  if (json) return printJson(context, { ...created, multiShop: multiShop === true, label: label ?? null });
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
  const rows = all.map(({ id, hint, label, multiShop, createdAt, revokedAt }) => [id, `${hint}…`, label, multiShop ? 'several' : 'one', createdAt, revokedAt]);
  printLines(context, textTable(['id', 'key', 'label', 'shops', 'made', 'revoked'], rows));
}
