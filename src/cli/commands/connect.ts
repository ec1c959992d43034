import { Command, Option } from 'commander';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/connect.ts';
import { instant } from '../input/arguments.ts';
import { KEY_FLAGS, SECRET_FORMS } from '../input/secret-flags.ts';
import { credentialFlags } from '../input/store-access.ts';

const actions = () => import('../actions/connect.ts');

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
    .action(async (options: Options) => (await actions()).connect(context, options));
}

/** The help of an option, with the additions of single platforms. */
function words(general: string, ofPlatform: (storefront: Storefront) => string | undefined): string {
  return [general, ...Object.values<Storefront>(storefronts).flatMap((storefront) => ofPlatform(storefront) ?? [])].join('; ');
}
