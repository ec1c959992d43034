import { Command, Option } from 'commander';
import { openComplianceAccess } from '../../app/compliance-access.ts';
import type { Core } from '../../app/core.ts';
import { createStoreFetch } from '../../app/store-fetch.ts';
import { webhookBase } from '../../app/webhook-base.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { type Connected, connectStore } from '../../operations/connections/connect-store.ts';
import { URL_WARNING, urlWarning } from '../../operations/connections/host-warnings.ts';
import { keepTrial } from '../../operations/connections/keep-trial.ts';
import { withPatience } from '../../operations/connections/try-access.ts';
import { webhookAddress } from '../../operations/connections/webhook-address.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { instant } from '../input/arguments.ts';
import { type ConnectOptions, readConnectInput } from '../input/connect-input.ts';
import { KEY_FLAGS, SECRET_FORMS } from '../input/read-secret.ts';
import { credentialFlags } from '../input/store-access.ts';
import { noteSettings } from '../note-settings.ts';
import { noteHeld, patienceOf } from '../one-first.ts';
import { connectSteps } from '../text/connect-steps.ts';
import { earlierStoreWords } from '../text/earlier-store-words.ts';
import { noteSecret, noteTrial, tryBefore } from '../try-before.ts';
import { withWake } from '../with-queues.ts';
import { wordsFor } from '../words/words.ts';

type Options = ConnectOptions & { strict?: true; json?: true };

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
    .action((options: Options) => connect(context, options));
}

/** The help of an option, with the additions of single platforms. */
function words(general: string, ofPlatform: (storefront: Storefront) => string | undefined): string {
  return [general, ...Object.values<Storefront>(storefronts).flatMap((storefront) => ofPlatform(storefront) ?? [])].join('; ');
}

async function connect(context: CliContext, options: Options): Promise<void> {
  // Problems of the input are reported before anything is opened.
  const input = await readConnectInput(context, options);
  await withWake(context, async (core, wake) => {
    await using compliance = await openComplianceAccess(core);
    const { pool, connections, config } = core;
    const storefront = storefrontOf(storefronts, input.platform);
    const fetchJson = withPatience(createStoreFetch(config));
    const trial = await tryBefore(context, { core, compliance }, { ...input, storefront, fetchJson, strict: options.strict === true });
    const connected = await connectStore(
      { pool, connections, compliance, fetchJson, trustedHttpHosts: config.trustedHttpHosts, wake, patience: patienceOf(context, {}), by: cliActor() },
      input,
    );
    noteSettings(context, input.settings);
    noteHeld(context, connected.held);
    await keepTrial(core, connected.connection.id, trial);
    noteTrial(context, trial);
    noteSecret(context, storefront, input.secret);
    const warning = options.storeUrl === undefined ? null : urlWarning(storefront, options.storeUrl);
    if (warning !== null) await connections.warn(connected.connection.id, URL_WARNING, warning);
    await report(context, core, { connected, json: options.json === true });
  });
}

async function report(context: CliContext, { config }: Core, { connected, json }: { connected: Connected; json: boolean }): Promise<void> {
  const { connection, earlier } = connected;
  const { id: connectionId, platform, recordFrom, trialSince } = connection;
  const { topics, alsoTopics = [] } = storefrontOf(storefronts, platform);
  const address = webhookAddress(await webhookBase(config), connection);
  if (json) {
    const before = earlier.is === 'none' ? null : { is: earlier.is, connectionId: earlier.earlier.id };
    const gap = earlier.is === 'same' ? earlier.gap : null;
    return printJson(context, {
      connectionId,
      webhookUrl: address,
      platform,
      shop: connection.shopId,
      recordFrom,
      trialSince,
      topics,
      alsoTopics,
      earlierStore: before,
      gap,
    });
  }
  const words = wordsFor(context);
  printLines(context, [
    ...textFields([
      ['connectionId', connectionId],
      ['webhookUrl', address],
      ['recordFrom', recordFrom],
      ...(trialSince === null ? [] : [['trialSince', trialSince] satisfies [string, string]]),
    ]),
    '',
    ...earlierStoreWords(connection, earlier, words),
    ...connectSteps(connection, address, context.lang ?? 'en'),
    ...(config.publicUrl === null ? [words.stores.connect.publicUrl] : []),
  ]);
}
