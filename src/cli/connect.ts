import { Command, Option } from 'commander';
import type { Core } from '../app/core.ts';
import { PLATFORMS, type Platform } from '../domain/order-key.ts';
import type { Connection } from '../ledger/connection.ts';
import type { StoreAccess } from '../storefronts/contract.ts';
import { storefronts } from '../storefronts/registry.ts';
import { openComplianceAccess } from './compliance-access.ts';
import { type CliContext, CliError } from './context.ts';
import { printJson, printLines } from './print.ts';
import { readSettingsFile } from './read-json-file.ts';
import { KEY_FLAGS, type KeyOptions, oneFromStdin, readCredentials, readSecret } from './read-secret.ts';
import { textFields } from './text-table.ts';
import { webhookBase, webhookUrl } from './webhook-url.ts';
import { withCore } from './with-core.ts';

type Options = KeyOptions & {
  platform: Platform;
  name: string;
  secret: string;
  complianceShop: string;
  settings?: string;
  storeUrl?: string;
  consumerKey?: string;
  consumerSecret?: string;
  json?: true;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `orderbridge connect` */
export function connectCommand(context: CliContext): Command {
  return new Command('connect')
    .description(
      'Connects a store to a shop of the compliance service and prints the id of the connection and the address for its webhooks. ' +
        'A shop has one live connection. Orders paid before this moment are ignored, unless the settings say recordFrom; ' +
        'a store that comes back goes on where it was.',
    )
    .addOption(new Option('--platform <platform>', 'what the store runs on').choices([...PLATFORMS]).makeOptionMandatory())
    .requiredOption('--name <name>', 'what people call the store; for Shopify its domain, such as example.myshopify.com')
    .requiredOption('--secret <secret>', 'what the store signs its webhooks with (- for standard input, @FILE for a file)')
    .requiredOption('--compliance-shop <uuid>', 'id of the shop at the compliance service (`orderbridge shop create` prints it)')
    .option(...KEY_FLAGS.key)
    .option(...KEY_FLAGS.secret)
    .option('--settings <file>', 'JSON file with the settings of the connection')
    .option('--store-url <url>', 'address of the store; with the two keys, refund lines that a webhook leaves out are fetched from it (WooCommerce)')
    .option('--consumer-key <key>', 'key of the store’s REST API, with read permission (- or @FILE)')
    .option('--consumer-secret <secret>', 'secret of the store’s REST API (- or @FILE)')
    .option('--json', 'print JSON')
    .action((options: Options) => withCore(context, (core) => connect(context, core, options)));
}

async function connect(context: CliContext, core: Core, options: Options): Promise<void> {
  if (!UUID.test(options.complianceShop)) throw new CliError('--compliance-shop is not a UUID; give the id that `orderbridge shop create` printed');
  const { secret: given, complianceKey, complianceSecret, consumerKey, consumerSecret } = options;
  oneFromStdin({
    '--secret': given,
    '--compliance-key': complianceKey,
    '--compliance-secret': complianceSecret,
    '--consumer-key': consumerKey,
    '--consumer-secret': consumerSecret,
  });
  const secret = await readSecret(context, '--secret', given);
  const problem = storefronts[options.platform].secretProblem(secret);
  if (problem !== null) throw new CliError(problem);
  const settings = options.settings === undefined ? {} : await readSettingsFile(context, options.settings);
  const access = await storeAccess(context, options);
  const store = storeName(options);
  const destinationId = await destination(context, core, options);
  const { platform, name, complianceShop: shopId } = options;
  const created = await core.connections.create({ platform, name, secret, shopId, destinationId, settings, access, store });
  if ('taken' in created) {
    throw new CliError(
      `the shop ${shopId} is connected already, as ${created.taken}; \`orderbridge disconnect ${created.taken}\` first, or connect another shop`,
    );
  }
  await report(context, core, { connection: created.connection, json: options.json === true });
}

async function destination(context: CliContext, core: Core, options: KeyOptions): Promise<string> {
  const credentials = await readCredentials(context, options);
  await using compliance = await openComplianceAccess(core);
  return await compliance.destination(credentials);
}

async function storeAccess(context: CliContext, { platform, storeUrl, consumerKey, consumerSecret }: Options): Promise<StoreAccess | null> {
  if (storeUrl !== undefined && !/^https?:\/\//.test(URL.canParse(storeUrl) ? storeUrl : '')) {
    throw new CliError('--store-url must be an address that starts with https:// or http://');
  }
  const asks = storefronts[platform].complete !== undefined;
  if (consumerKey === undefined && consumerSecret === undefined) {
    if (storeUrl !== undefined && asks) throw new CliError('--store-url goes with --consumer-key and --consumer-secret: give all three, or none');
    return null;
  }
  if (!asks) throw new CliError(`a ${platform} store is never asked: leave out --consumer-key and --consumer-secret`);
  if (storeUrl === undefined || consumerKey === undefined || consumerSecret === undefined) {
    throw new CliError('--store-url, --consumer-key and --consumer-secret go together: give all three, or none');
  }
  return {
    url: storeUrl.replace(/\/+$/, ''),
    consumerKey: await readSecret(context, '--consumer-key', consumerKey),
    consumerSecret: await readSecret(context, '--consumer-secret', consumerSecret),
  };
}

/** Shopify's app-wide webhooks find the connection by the shop's domain; elsewhere the first delivery names the store. */
function storeName({ platform, name, storeUrl }: Options): string | null {
  if (platform !== 'shopify') return null;
  if (storeUrl !== undefined) return new URL(storeUrl).hostname;
  return /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/i.test(name) ? name.toLowerCase() : null;
}

async function report(context: CliContext, { config }: Core, { connection, json }: { connection: Connection; json: boolean }): Promise<void> {
  const { id: connectionId, platform, recordFrom } = connection;
  const { topics } = storefronts[platform];
  const address = webhookUrl(await webhookBase(config), connection);
  if (json) return printJson(context, { connectionId, webhookUrl: address, platform, shop: connection.shopId, recordFrom, topics });
  printLines(context, [
    ...textFields([
      ['connectionId', connectionId],
      ['webhookUrl', address],
      ['recordFrom', recordFrom],
    ]),
    '',
    'What to do next:',
    `1. In the store, send these topics to the webhookUrl, signed with the secret that you gave:\n   ${topics.join(', ')}`,
    '2. Place a test order there, or save a paid one again.',
    `3. Look at it with \`orderbridge orders --connection ${connectionId}\`, and at what waits for you with \`orderbridge parked\`.`,
    ...(config.publicUrl === null
      ? ['Set PUBLIC_URL to the address under which stores on the internet reach this server; localhost is for trying it out.']
      : []),
  ]);
}
