import { Command, Option } from 'commander';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options as ConnectOptions } from '../actions/connect.ts';
import type { Options as ReconnectOptions } from '../actions/reconnect.ts';
import { instant } from '../input/arguments.ts';
import { KEY_FLAGS, SECRET_FORMS } from '../input/shared-options.ts';
import { credentialFlags } from '../input/store-access.ts';

const connectActions = () => import('../actions/connect.ts');

/** `orderbridge connect` */
export function connectCommand(context: CliContext): Command {
  const command = new Command('connect')
    .description(
      'Connects a store to a shop of the compliance service and prints the id of the connection and the address for its webhooks. ' +
        'A shop has one live connection. Orders paid before this moment are ignored, unless --record-from or the settings say otherwise. ' +
        'A store that was disconnected goes on as it was, with the same address: it is recognized by its host, by the platform’s own id of it, ' +
        'or because its deliveries name no store. If it was away for more than a day, what was paid meanwhile is not taken, unless --record-from says so.',
    )
    .addOption(new Option('--platform <platform>', 'what the store runs on').choices(Object.keys(storefronts)).makeOptionMandatory())
    .requiredOption(
      '--name <name>',
      words('what people call the store', ({ nameHint }) => nameHint),
    )
    .requiredOption('--secret <secret>', `what the store signs its webhooks with ${SECRET_FORMS}`)
    .requiredOption('--compliance-shop <uuid>', 'id of the shop at the compliance service (`orderbridge shop create` prints it)')
    .option(...KEY_FLAGS.key)
    .option(...KEY_FLAGS.secret)
    .option('--settings <file>', 'JSON file with the settings of the connection')
    .option(
      '--store-url <url>',
      words('address of the store', ({ api }) => api?.words),
    );
  for (const { flag, placeholder, words } of credentialFlags()) command.option(`${flag} <${placeholder}>`, `${words} (prompt, - or @FILE)`);
  return command
    .option('--record-from <instant>', 'take orders paid from then on, such as 2026-12-01T00:00:00+02:00', instant)
    .option('--trial', 'take and keep its webhooks, and submit nothing until `orderbridge start-recording`')
    .addOption(new Option('--same-store [connection]', 'it is the earlier store of this shop, or that of this connection').conflicts('newStore'))
    .option('--new-store', 'it is another store than any that this shop had before')
    .option(
      '--strict',
      'make nothing if the access to the store, or the compliance shop, does not work; else what is wrong is said, and the store is connected',
    )
    .option('--json', 'print JSON')
    .action(async (options: ConnectOptions) => (await connectActions()).connect(context, options));
}

/** The help of an option, with the additions of single platforms. */
function words(general: string, ofPlatform: (storefront: Storefront) => string | undefined): string {
  return [general, ...Object.values<Storefront>(storefronts).flatMap((storefront) => ofPlatform(storefront) ?? [])].join('; ');
}

const reconnectActions = () => import('../actions/reconnect.ts');

/** `orderbridge reconnect` */
export function reconnectCommand(context: CliContext): Command {
  const command = new Command('reconnect')
    .description(
      'Changes what is given of a live connection, and nothing else: its webhook address and its orders stay, and no webhook is refused meanwhile. ' +
        'Orders that waited for the store’s API are retried at once. After --secret the old secret is live for 24 hours more. ' +
        'After --compliance-key, records that were made with the old key are deleted with it when they change: keep it valid.\n\n' +
        'Webhooks of another host than the store’s, such as that of a copy of the site, are quarantined, and `orderbridge review` lists the host: --moved or ' +
        '--not-ours says whose it is. HOST may be an address: scheme, `www.`, port and path do not matter.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--name <name>', 'what people call the store')
    .option('--secret <secret>', `the new secret that the store signs its webhooks with ${SECRET_FORMS}`)
    .option('--store-url <url>', 'address of the store');
  for (const { flag, placeholder, words } of credentialFlags()) command.option(`${flag} <${placeholder}>`, `${words} (prompt, - or @FILE)`);
  return command
    .option(KEY_FLAGS.key[0], 'API key of the compliance service for records from now on')
    .option(...KEY_FLAGS.secret)
    .option('--settings <file>', 'JSON file with the settings that replace the connection’s')
    .option('--record-from <instant>', 'also take orders paid from then on, such as 2026-12-01T00:00:00+02:00', instant)
    .option('--moved <host>', 'the store is at this host, too: what was quarantined of it goes on, and all of its webhooks count from now on')
    .option(
      '--not-ours <host>',
      'this host is not the store’s: what was quarantined of it is dropped; later webhooks are answered 200 and counted, but not kept',
    )
    .option('--strict', 'change nothing if new access to the store, or a new compliance key, does not work')
    .option('--json', 'print JSON: {connectionId, webhookUrl, recordFrom, oldSecretUntil, readAnew, released, moved, notOurs}')
    .action(async (id: string, options: ReconnectOptions) => (await reconnectActions()).reconnect(context, id, options));
}
