import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/reconnect.ts';
import { instant } from '../input/arguments.ts';
import { KEY_FLAGS, SECRET_FORMS } from '../input/secret-flags.ts';
import { credentialFlags } from '../input/store-access.ts';

const actions = () => import('../actions/reconnect.ts');

/** `orderbridge reconnect` */
export function reconnectCommand(context: CliContext): Command {
  const command = new Command('reconnect')
    .description(
      'Changes what is given of a live connection, and nothing else: its webhook address and its orders stay, and no webhook is refused meanwhile. ' +
        'Orders that waited for the store’s API are retried at once. After --secret the old secret is live for 24 hours more. ' +
        'After --compliance-key, records that were made with the old key are deleted with it when they change: keep it valid.\n\n' +
        'Webhooks of another host than the store’s, such as that of a copy of the site, are held, and `orderbridge review` lists the host: --moved or ' +
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
    .option('--moved <host>', 'the store is at this host, too: what was held of it goes on, and all of its webhooks count from now on')
    .option('--not-ours <host>', 'this host is not the store’s: what was held of it is dropped; later webhooks are answered 200 and counted, but not kept')
    .option('--strict', 'change nothing if new access to the store, or a new compliance key, does not work')
    .option('--json', 'print JSON: {connectionId, webhookUrl, recordFrom, oldSecretUntil, readAnew, released, moved, notOurs}')
    .action(async (id: string, options: Options) => (await actions()).reconnect(context, id, options));
}
