import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { counted, form } from '../../contract/plural.ts';
import type { Moved } from '../../operations/connections/decide-host.ts';
import type { Changes, Reconnected } from '../../operations/connections/reconnect-store.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { printJson, printLines } from '../../platform/terminal/print.ts';
import { instant } from '../input/arguments.ts';
import { readSettingsFile } from '../input/read-file.ts';
import { checkSecretFlags, readCredentials, readSecret } from '../input/read-secret.ts';
import { KEY_FLAGS, type KeyOptions, SECRET_FORMS } from '../input/shared-options.ts';
import { credentialFlags, readStoreAccess, typedCredentials } from '../input/store-access.ts';
import { withNotify } from '../with-queues.ts';

export function reconnectCommand(context: CliContext): Command {
  const command = new Command('reconnect')
    .description(
      'Changes the given parts of a live connection, and nothing else: its webhook address and its orders stay, and no webhook is refused meanwhile. ' +
        'Orders that waited for the store’s API are retried at once. After --secret the old secret is valid for another 24 hours. ' +
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
    .option('--record-from <instant>', 'also record orders paid from then on, such as 2026-12-01T00:00:00+02:00', instant)
    .option('--moved <host>', 'the store is at this host, too: what was quarantined of it goes on, and all of its webhooks count from now on')
    .option(
      '--not-ours <host>',
      'this host is not the store’s: what was quarantined of it is dropped; later webhooks are answered 200 and counted, but not kept',
    )
    .option('--strict', 'change nothing if new access to the store, or a new compliance key, does not work')
    .option(
      '--json',
      'print JSON: {connectionId, webhookUrl, recordFrom, gaps, oldSecretUntil, readAnew, released, otherStore, quarantinedHost, moved, notOurs}',
    )
    .action((id: string, options: Options) => reconnect(context, id, options));
}

type Options = ReconnectOptions & HostFlags & { json?: true };

async function reconnect(context: CliContext, named: string, options: Options): Promise<void> {
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  checkReconnectOptions(context, options, options.moved !== undefined || options.notOurs !== undefined);
  await withNotify(context, async (core, notify) => {
    const { id } = await knownConnection(core.connections, named);
    const changed = changesConnection(options) ? await changeConnection(context, { core, notify, id }, options) : null;
    const hosts = await changeHosts(core, { id, ...options });
    const { moved, notOurs } = hosts;
    if (options.json) printJson(context, { connectionId: id, ...changed?.shown, moved, notOurs });
    else printLines(context, [...(changed === null ? [] : changeLines(id, changed)), ...hostLines(id, hosts)]);
  });
}

type Opened = { core: Core; notify: Notify; id: string };

/** What was changed of a connection. `shown` is for programs. */
type ChangedConnection = {
  shown: Pick<Connection, 'recordFrom' | 'gaps'> &
    Pick<Reconnected, 'released' | 'otherStore' | 'quarantinedHost'> & { webhookUrl: string; oldSecretUntil: string | null; readAnew: boolean };
  changes: Changes;
  reconnected: Reconnected;
};

/** Changes the parts of a live connection that the flags of `reconnect` give. */
async function changeConnection(context: CliContext, { core, notify, id }: Opened, options: ReconnectOptions): Promise<ChangedConnection> {
  const { liveSecrets } = await import('../../bridge/connections/connection.ts');
  const { webhookBase } = await import('../../app/addresses.ts');
  const { openComplianceAccess } = await import('../../app/compliance-api.ts');
  const { createStoreFetch } = await import('../../app/store-access.ts');
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { noteNotReleased, noteSettings, firstTryOf } = await import('../not-released.ts');
  const { noteSecret, noteVerification, verifyBefore } = await import('../verify-before.ts');
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { reconnectStore, requireLive } = await import('../../operations/connections/reconnect-store.ts');
  const { webhookAddress } = await import('../../operations/connections/store-webhooks.ts');
  const { keepVerification, fetchWithTimeout } = await import('../../operations/connections/verify-credentials.ts');
  const { pool, connections, config } = core;
  const before = await knownConnection(connections, id);
  requireLive(before);
  const changes = await readReconnectInput(context, before, options);
  await using compliance = await openComplianceAccess(core);
  const storefront = storefrontOf(storefronts, before.platform);
  const fetchJson = fetchWithTimeout(createStoreFetch(config));
  const { access, credentials } = changes;
  const secret = changes.secret ?? liveSecrets(before, Date.now())[0];
  const shopId = credentials === null ? null : before.shopId;
  const verification = await verifyBefore(
    { core, compliance },
    { storefront, access, secret, fetchJson, shopId, credentials, strict: options.strict === true },
  );
  const deps = {
    pool,
    connections,
    compliance,
    fetchJson,
    trustedHttpHosts: config.trustedHttpHosts,
    notify,
    firstTry: firstTryOf(context, {}),
    by: cliActor(),
  };
  const reconnected = await reconnectStore(deps, before, changes);
  noteSettings(context, changes.settings);
  noteNotReleased(context, reconnected.notReleased);
  await keepVerification(core, id, verification);
  noteVerification(context, verification);
  noteSecret(context, storefront, changes.secret);
  const { connection, oldUntil: oldSecretUntil, isReadAnew: readAnew, released, otherStore, quarantinedHost } = reconnected;
  const { recordFrom, gaps } = connection;
  const webhookUrl = webhookAddress(await webhookBase(config), before);
  return { shown: { webhookUrl, recordFrom, gaps, oldSecretUntil, readAnew, released, otherStore, quarantinedHost }, changes, reconnected };
}

function changeLines(id: string, { reconnected, changes }: ChangedConnection): string[] {
  const { connection, released, oldUntil, otherStore, quarantinedHost, isReadAnew } = reconnected;
  return [
    `${id} is changed; its webhook address is the same.`,
    ...(otherStore ? ['The store at this address says that it is a different one: check the address and the keys.'] : []),
    ...(isReadAnew ? ['What was being read of the store is read anew, from its beginning; what was found before stays.'] : []),
    ...(quarantinedHost === null
      ? []
      : [`Webhooks that name ${quarantinedHost} are quarantined; if the store moved there, \`orderbridge reconnect ${id} --moved ${quarantinedHost}\`.`]),
    ...(oldUntil === null ? [] : [`The old secret is valid until ${oldUntil}; change it in the store before then.`]),
    ...(changes.settings === null ? [] : [`The settings are replaced; ${counted.en(released, 'order in review is', 'orders in review are')} decided again.`]),
    ...(changes.recordFrom === null
      ? []
      : [
          `Orders paid from ${connection.recordFrom} on are recorded${connection.gaps.map((gap) => `, except those between ${gap.from} and ${gap.until}`).join('')}.`,
        ]),
  ];
}

/** The flags of `reconnect` that say whose a host is, as they were typed. */
type HostFlags = { moved?: string; notOurs?: string };

/** What was done. */
type ChangedHosts = { moved: Moved | null; notOurs: { host: string; dismissed: number } | null };

/** Says whose the hosts of a connection are. `moved` first: the other flag may end the only host that there was. */
async function changeHosts(core: Core, { id, ...flags }: HostFlags & { id: string }): Promise<ChangedHosts> {
  const { createStoreFetch } = await import('../../app/store-access.ts');
  const { notifyNobody } = await import('../../bridge/delivery/notify.ts');
  const { movedStore, notOurStore } = await import('../../operations/connections/decide-host.ts');
  const { pool, connections, config } = core;
  const given = { fetchJson: createStoreFetch(config), trustedHttpHosts: config.trustedHttpHosts, notify: notifyNobody };
  const deps = { pool, connections, by: cliActor(), ...given };
  const moved = flags.moved === undefined ? null : await movedStore(deps, { id, host: flags.moved });
  const notOurs = flags.notOurs === undefined ? null : await notOurStore(deps, { id, host: flags.notOurs });
  return { moved, notOurs };
}

function hostLines(id: string, { moved, notOurs }: ChangedHosts): string[] {
  return [...(moved === null ? [] : movedLines(id, moved)), ...(notOurs === null ? [] : notOursLines(id, notOurs))];
}

function movedLines(id: string, { host, released, review, dismissed, api }: Moved): string[] {
  return [
    `${host} is the store’s: its webhooks count for ${id} from now on, beside those of its other hosts.`,
    ...(api === null
      ? []
      : [
          api.works
            ? `Its API no longer answers where it was, and does at ${api.url} with the same key: it is called there from now on.`
            : `Its API is still called at ${api.url}, which gives no usable answer, nor does ${host} with the same key: \`orderbridge reconnect ${id} --store-url https://…\`, with new keys if these are gone; until then orders that need the API wait.`,
        ]),
    ...(released === 0
      ? []
      : [
          `${counted.en(released, 'webhook was', 'webhooks were')} quarantined; now ${form.en(released, 'it is', 'they are')} read again, in the order of arrival.`,
        ]),
    ...(review === 0 ? [] : [`${counted.en(review, 'webhook was', 'webhooks were')} quarantined, but can no longer be read: \`orderbridge review\`.`]),
    ...(dismissed === 0
      ? []
      : [`${counted.en(dismissed, 'webhook was', 'webhooks were')} not kept before: save their orders in the store, which sends them again.`]),
  ];
}

function notOursLines(id: string, { host, dismissed }: { host: string; dismissed: number }): string[] {
  return [
    `${host} is not the store’s: its webhooks are answered and counted, but change nothing for ${id}.`,
    ...(dismissed === 0 ? [] : [`${counted.en(dismissed, 'webhook was', 'webhooks were')} quarantined, and dropped.`]),
  ];
}

/** The flags of `reconnect` as they were typed; those of the platforms' credentials are beside them. */
type ReconnectOptions = KeyOptions & { name?: string; secret?: string; settings?: string; storeUrl?: string; recordFrom?: string; strict?: true };

/** Whether a part of the connection itself was given. */
function changesConnection(options: ReconnectOptions): boolean {
  const { name, settings, storeUrl, recordFrom } = options;
  return [name, settings, storeUrl, recordFrom, ...Object.values(secretsOf(options))].some((value) => value !== undefined);
}

/** Refuses a command line that changes nothing, or reads standard input twice, before anything is opened. */
function checkReconnectOptions(context: CliContext, options: ReconnectOptions, changesHosts: boolean): void {
  checkSecretFlags(context, secretsOf(options));
  if (!changesHosts && !changesConnection(options)) throw new CliError('nothing to change was given; `orderbridge reconnect --help` lists what can be');
}

function secretsOf(options: ReconnectOptions): Record<string, string | undefined> {
  const { secret, complianceKey, complianceSecret } = options;
  return { '--secret': secret, '--compliance-key': complianceKey, '--compliance-secret': complianceSecret, ...typedCredentials(options) };
}

/** Reads secrets and files that the flags name. A key or an address that is not given stays as it is. */
async function readReconnectInput(context: CliContext, connection: Connection, options: ReconnectOptions): Promise<Changes> {
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { name = null, secret, settings, storeUrl: url, recordFrom = null } = options;
  const storefront = storefrontOf(storefronts, connection.platform);
  return {
    name,
    secret: secret === undefined ? null : await readSecret(context, '--secret', secret),
    access: await readStoreAccess(context, { storefront, url, typed: options, before: connection.access }),
    url: url === undefined || !storefront.deliveriesNameStore ? null : url,
    credentials: await readCredentials(context, options),
    settings: settings === undefined ? null : await readSettingsFile(context, settings),
    recordFrom,
  };
}
