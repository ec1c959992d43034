import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Credentials } from '../../bridge/ledger/destination-store.ts';
import type { StoreAccess } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { isUuid } from '../../contract/uuid.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { readSettingsFile } from './read-json-file.ts';
import { type KeyOptions, oneFromStdin, readCredentials, readSecret } from './read-secret.ts';
import { readStoreAccess, typedCredentials } from './store-access.ts';

/** The flags of `connect` as they were typed; those of the platforms' credentials are beside them. */
export type ConnectOptions = KeyOptions & {
  platform: string;
  name: string;
  secret: string;
  complianceShop: string;
  settings?: string;
  storeUrl?: string;
};

export type ConnectInput = {
  shopId: string;
  secret: string;
  settings: SettingsInput;
  access: StoreAccess | null;
  store: string | null;
  keepsEarlierName: boolean;
  /** Null: the configured ones. */
  credentials: Credentials | null;
};

/** Reads secrets and files that the flags name, and refuses what could never work. */
export async function readConnectInput(context: CliContext, options: ConnectOptions): Promise<ConnectInput> {
  const { platform, name, complianceShop, secret: given, storeUrl: url, complianceKey, complianceSecret } = options;
  if (!isUuid(complianceShop)) throw new CliError('--compliance-shop is not a UUID; give the id that `orderbridge shop create` printed');
  oneFromStdin({ '--secret': given, '--compliance-key': complianceKey, '--compliance-secret': complianceSecret, ...typedCredentials(options) });
  const storefront = storefrontOf(storefronts, platform);
  const secret = await readSecret(context, '--secret', given);
  const problem = storefront.secretProblem(secret);
  if (problem !== null) throw new CliError(problem);
  return {
    shopId: complianceShop.toLowerCase(),
    secret,
    settings: options.settings === undefined ? {} : await readSettingsFile(context, options.settings),
    access: await readStoreAccess(context, { storefront, url, typed: options }),
    store: storefront.storeNameOf?.({ name, url: url ?? null }) ?? null,
    keepsEarlierName: !storefront.deliveriesNameStore,
    credentials: await readCredentials(context, options),
  };
}
