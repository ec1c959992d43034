import { Command, Option } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { NewKeyOptions } from '../../actions/service/keys.ts';
import { withService } from '../../with-core.ts';

const keysActions = () => import('../../actions/service/keys.ts');

/** `orderbridge service keys` */
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
    .action((options: { json?: true }) => withService(context, async ({ service }) => (await keysActions()).listKeys(context, service.keys, options)));
  keys
    .command('rotate')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .summary('replace an API key by a new one')
    .description(
      'Makes a new key with a new secret for the same owner and prints it once; the old key ends 24 hours later. If it is the key of orderbridge itself, ' +
        'orderbridge calls with the new one from then on. If the old key is known to somebody else, revoke it as soon as the new one is in use.',
    )
    .option('--json', 'print JSON: id, apiKey, apiSecret, endsAt, isOurs')
    .action((id: string, options: { json?: true }) =>
      withService(context, async (opened) => (await keysActions()).rotate(context, opened, { id, ...options })),
    );
  keys
    .command('revoke')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .summary('revoke an API key')
    .description(
      'Ends an API key for good. Running servers notice within 10 s. Its shops and orders stay; only other keys of its owner reach them (`rotate`, or `add` before).',
    )
    .action((id: string) => withService(context, async ({ service }) => (await keysActions()).revoke(context, service.keys, id)));
  keys.addCommand(keysGrantCommand(context));
  return keys;
}

function createCommand(context: CliContext): Command {
  return withKeyOptions(new Command('create').summary('make an API key'))
    .description('Makes an API key of a new owner and prints it with its secret, which is not shown again.')
    .option('--test', 'its shops are for trying out: numbers of their own, documents marked as tests, and no files of months')
    .action((options: NewKeyOptions) => withService(context, async ({ service }) => (await keysActions()).createKey(context, service.keys, options)));
}

function addCommand(context: CliContext): Command {
  return withKeyOptions(new Command('add').summary('make another API key of an owner'))
    .description('Makes another API key of an owner and prints it with its secret, which is not shown again. It reaches the same shops and orders.')
    .requiredOption('--owner <id>', 'id of any key of the owner, from `orderbridge service keys list`')
    .action((options: NewKeyOptions & { owner: string }) =>
      withService(context, async ({ service }) => (await keysActions()).addAnother(context, service.keys, options)),
    );
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

const keysGrantActions = () => import('../../actions/service/keys.ts');

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
      withService(context, async (opened) => (await keysGrantActions()).grant(context, opened, { id, companyUic, ...options })),
    );
}
