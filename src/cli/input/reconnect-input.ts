import type { Connection } from '../../bridge/connections/connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Changes } from '../../operations/connections/reconnect-store.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { readSettingsFile } from './read-json-file.ts';
import { checkSecretFlags, readCredentials, readSecret } from './read-secret.ts';
import type { KeyOptions } from './secret-flags.ts';
import { readStoreAccess, typedCredentials } from './store-access.ts';

/** The flags of `reconnect` as they were typed; those of the platforms' credentials are beside them. */
export type ReconnectOptions = KeyOptions & { name?: string; secret?: string; settings?: string; storeUrl?: string; recordFrom?: string; strict?: true };

/** Whether a part of the connection itself was given. */
export function changesConnection(options: ReconnectOptions): boolean {
  const { name, settings, storeUrl, recordFrom } = options;
  return [name, settings, storeUrl, recordFrom, ...Object.values(secretsOf(options))].some((value) => value !== undefined);
}

/** Refuses a command line that changes nothing, or reads standard input twice, before anything is opened. */
export function checkReconnectOptions(context: CliContext, options: ReconnectOptions, changesHosts: boolean): void {
  checkSecretFlags(context, secretsOf(options));
  if (!changesHosts && !changesConnection(options)) throw new CliError('nothing to change was given; `orderbridge reconnect --help` lists what can be');
}

function secretsOf(options: ReconnectOptions): Record<string, string | undefined> {
  const { secret, complianceKey, complianceSecret } = options;
  return { '--secret': secret, '--compliance-key': complianceKey, '--compliance-secret': complianceSecret, ...typedCredentials(options) };
}

/** Reads secrets and files that the flags name. A key or an address that is not given stays as it is. */
export async function readReconnectInput(context: CliContext, connection: Connection, options: ReconnectOptions): Promise<Changes> {
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
