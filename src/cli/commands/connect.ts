import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Earlier, StoreClaim } from '../../bridge/connections/new-connection.ts';
import { connectOptions } from '../../bridge/storefronts/connect-options.ts';
import type { PlatformOptions, Storefront } from '../../bridge/storefronts/contract.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Connected, ConnectRequest } from '../../operations/connections/connect-store.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { textFields } from '../../platform/terminal/text-table.ts';
import { instant } from '../input/arguments.ts';
import { readSettingsFile } from '../input/read-file.ts';
import { checkSecretFlags, readCredentials, readSecret } from '../input/read-secret.ts';
import { KEY_FLAGS, type KeyOptions, SECRET_FORMS } from '../input/shared-options.ts';
import { credentialFlags, readStoreAccess, typedCredentials } from '../input/store-access.ts';
import { withNotify } from '../with-queues.ts';

export function connectCommand(context: CliContext): Command {
  const command = new Command('connect')
    .description(
      'Connects a store to a shop of the compliance service and prints the id of the connection and the address for its webhooks. ' +
        'A shop has one live connection. Orders paid before this moment are ignored, unless --record-from or the settings say otherwise. ' +
        'A store that was disconnected continues as before, with the same address: it is recognized by its host, by the platform’s own id of it, ' +
        'or because its deliveries name no store. If it was away for more than a day, what was paid meanwhile is not recorded, unless --record-from says so.',
    )
    .addOption(new Option('--platform <platform>', 'what the store runs on').choices(Object.keys(connectOptions)).makeOptionMandatory())
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
    .option('--record-from <instant>', 'record orders paid from then on, such as 2026-12-01T00:00:00+02:00', instant)
    .option('--trial', 'accept and keep its webhooks, and submit nothing until `orderbridge start-recording`')
    .addOption(new Option('--same-store [connection]', 'it is the earlier store of this shop, or that of this connection').conflicts('newStore'))
    .option('--new-store', 'it is not any store that this shop had before')
    .option(
      '--strict',
      'create nothing if the access to the store, or the compliance shop, does not work; otherwise it says what is wrong, and connects the store',
    )
    .option('--json', 'print JSON')
    .action((options: Options) => connect(context, options));
}

/** The help of an option, with the additions of single platforms. */
function words(general: string, ofPlatform: (options: PlatformOptions) => string | undefined): string {
  return [general, ...Object.values<PlatformOptions>(connectOptions).flatMap((options) => ofPlatform(options) ?? [])].join('; ');
}

type Options = ConnectOptions & { strict?: true; json?: true };

async function connect(context: CliContext, options: Options): Promise<void> {
  const { openComplianceAccess } = await import('../../app/compliance-api.ts');
  const { createStoreFetch } = await import('../../app/store-access.ts');
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { noteNotReleased, noteSettings, firstTryOf } = await import('../not-released.ts');
  const { noteSecret, noteVerification, verifyBefore } = await import('../verify-before.ts');
  const { connectStore } = await import('../../operations/connections/connect-store.ts');
  const { URL_WARNING, urlWarning } = await import('../../operations/connections/store-hosts.ts');
  const { keepVerification, fetchWithTimeout } = await import('../../operations/connections/verify-credentials.ts');
  const storefront = storefrontOf(storefronts, options.platform);
  // Problems of the input are reported before anything is opened.
  const input = await readConnectInput(context, storefront, options);
  await withNotify(context, async (core, notify) => {
    await using compliance = await openComplianceAccess(core);
    const { pool, connections, config } = core;
    const fetchJson = fetchWithTimeout(createStoreFetch(config));
    const verification = await verifyBefore({ core, compliance }, { ...input, storefront, fetchJson, strict: options.strict === true });
    const connected = await connectStore(
      { pool, connections, compliance, fetchJson, trustedHttpHosts: config.trustedHttpHosts, notify, firstTry: firstTryOf(context, {}), by: cliActor() },
      input,
    );
    noteSettings(context, input.settings);
    noteNotReleased(context, connected.notReleased);
    await keepVerification(core, connected.connection.id, verification);
    noteVerification(context, verification);
    noteSecret(context, storefront, input.secret);
    const warning = options.storeUrl === undefined ? null : urlWarning(storefront, options.storeUrl);
    if (warning !== null) await connections.warn(connected.connection.id, URL_WARNING, warning);
    await report(context, core, { storefront, connected, secret: input.secret, json: options.json === true });
  });
}

type Reported = { storefront: Storefront; connected: Connected; secret: string; json: boolean };

async function report(context: CliContext, { config }: Core, { storefront, connected, secret, json }: Reported): Promise<void> {
  const { webhookBase } = await import('../../app/addresses.ts');
  const { webhookAddress } = await import('../../operations/connections/store-webhooks.ts');
  const { connection, earlier } = connected;
  const { id: connectionId, platform, recordFrom, trialSince } = connection;
  const { topics, alsoTopics = [] } = storefront;
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
  printLines(context, [
    ...textFields([
      ['connectionId', connectionId],
      ['webhookUrl', address],
      ['recordFrom', recordFrom],
      ...(trialSince === null ? [] : [['trialSince', trialSince] satisfies [string, string]]),
    ]),
    '',
    ...earlierStoreWords(connection, earlier),
    ...connectSteps(connection, storefront, address),
    ...codeWords(storefront.onboarding?.connectionCode?.({ address, secret })),
    ...(config.publicUrl === null
      ? ['Set PUBLIC_URL to the address under which stores on the internet reach this server; localhost is for trying it out.']
      : []),
  ]);
}

/** The flags of `connect` as they were typed; those of the platforms' credentials are beside them. */
type ConnectOptions = KeyOptions & {
  platform: string;
  name: string;
  secret: string;
  complianceShop: string;
  settings?: string;
  storeUrl?: string;
  sameStore?: string | true;
  newStore?: true;
  recordFrom?: string;
  trial?: true;
};

/** Reads secrets and files that the flags name, and refuses what could never work. */
async function readConnectInput(context: CliContext, storefront: Storefront, options: ConnectOptions): Promise<ConnectRequest> {
  const { secretProblem } = await import('../../operations/connections/store-secrets.ts');
  const { platform, name, complianceShop, secret: given, storeUrl: url, complianceKey, complianceSecret } = options;
  if (!isUuid(complianceShop)) throw new CliError('--compliance-shop is not a UUID; give the id that `orderbridge shop create` printed');
  checkSecretFlags(context, { '--secret': given, '--compliance-key': complianceKey, '--compliance-secret': complianceSecret, ...typedCredentials(options) });
  const secret = await readSecret(context, '--secret', given);
  const problem = secretProblem(storefront, secret);
  if (problem !== null) throw new CliError(problem);
  const store = storefront.storeNameOf?.({ name, url: url ?? null }) ?? null;
  return {
    platform,
    name,
    shopId: complianceShop.toLowerCase(),
    secret,
    settings: options.settings === undefined ? null : await readSettingsFile(context, options.settings),
    access: await readStoreAccess(context, { storefront, url, typed: options }),
    store,
    ownShop: !storefront.deliveriesNameStore,
    hosts: storefront.deliveriesNameStore ? [store, url].flatMap((text) => (text == null ? [] : (storeHost(text) ?? []))) : [],
    claim: claimOf(options),
    recordFrom: options.recordFrom ?? null,
    trial: options.trial === true,
    credentials: await readCredentials(context, options),
  };
}

function claimOf({ sameStore, newStore }: ConnectOptions): StoreClaim | null {
  if (sameStore !== undefined) return { is: 'same', connectionId: sameStore === true ? null : sameStore };
  return newStore === true ? { is: 'new' } : null;
}

/** What a person does after `connect`, for this platform. */
function connectSteps({ id, recordFrom, trialSince, access }: Connection, storefront: Storefront, address: string): string[] {
  const { topics, alsoTopics = [], connectSteps: ofPlatform, api } = storefront;
  const canRepair = access !== null && api?.subscriptions !== undefined;
  return [
    'What to do next:',
    `1. In the store, send these topics to the webhookUrl, signed with the secret that you gave:\n   ${topics.join(', ')}`,
    ...(alsoTopics.length === 0 ? [] : [`   also: ${alsoTopics.join(', ')}`]),
    ...(canRepair
      ? [`   If the key may write, \`orderbridge subscriptions ${id} --repair\` makes the webhooks, and you need not type anything in the store.`]
      : []),
    ...(ofPlatform?.(address) ?? []).map((line) => `   ${line}`),
    trialSince === null
      ? `2. Place a test order there. Orders paid before ${localTime(recordFrom)} are ignored, even if they are saved again; \`orderbridge backfill ${id}\` imports them where the store can be read, \`recordFrom\` in its settings changes the time.`
      : `2. Place a test order there. Nothing is submitted on trial: \`orderbridge start-recording ${id} --from now\` ends it.`,
    `3. Look at it with \`orderbridge orders --connection ${id}\`, and at what waits for you with \`orderbridge review\`.`,
  ];
}

function codeWords(code: string | undefined): string[] {
  return code === undefined ? [] : ['A module of orderbridge in the shop takes this connection code instead. It has the secret:', `   ${code}`];
}

/** What becomes of an earlier store of the shop, for the person who connects one. */
function earlierStoreWords(connection: Connection, earlier: Earlier): string[] {
  const { id, store } = connection;
  switch (earlier.is) {
    case 'none':
      return [];
    case 'same':
      return [
        `This store was disconnected at ${earlier.earlier.closedAt ?? ''}; it continues as before, with the same webhookUrl, its orders${store === null ? '' : ` (filed under ${store})`}, and its settings unless others were given.`,
        'Webhooks that are still in the store work again if they are signed with the secret that you gave.',
        ...(earlier.gap === null
          ? []
          : [
              `Orders paid between ${earlier.gap.from} and ${earlier.gap.until} are not recorded; \`orderbridge reconnect ${id} --record-from ${earlier.gap.from}\` records them.`,
            ]),
        ...(earlier.endedWays === undefined
          ? []
          : [
              `The links by which a merchant saw this store ended: it may be another’s now. To give it a merchant’s page again, \`orderbridge disconnect ${id}\`, and \`orderbridge invite\` with its shop.`,
            ]),
      ];
    case 'other':
      return [
        `Another store than ${described(earlier.earlier)}, which this shop had before: it begins now, with nothing of that one${connection.predecessor === null ? '' : ', unless its first delivery names a host of that one'}.`,
        `If it is the same store: \`orderbridge disconnect ${id}\`, and connect it with --same-store ${earlier.earlier.id}.`,
      ];
    case 'undecided':
      return [
        `This shop had a store before: ${described(earlier.earlier)}. Whether this is the same one can’t be known yet: the host of its first delivery decides.`,
        'If it is the same, it continues with that one’s orders, and with its settings unless others were given; if not, it begins now.',
        `To say it now: \`orderbridge disconnect ${id}\`, and connect it with --store-url, --same-store or --new-store.`,
      ];
  }
}

function described({ id, name, store, closedAt }: Connection): string {
  return `${id} (${[name, store].filter(Boolean).join(', ')}; disconnected at ${closedAt ?? ''})`;
}
