import type { StoreClaim } from '../../bridge/connections/new-connection.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { ConnectRequest } from '../../operations/connections/connect-store.ts';
import { secretProblem } from '../../operations/connections/secret-problem.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { readSettingsFile } from './read-json-file.ts';
import { checkSecretFlags, readCredentials, readSecret } from './read-secret.ts';
import type { KeyOptions } from './secret-flags.ts';
import { readStoreAccess, typedCredentials } from './store-access.ts';

/** The flags of `connect` as they were typed; those of the platforms' credentials are beside them. */
export type ConnectOptions = KeyOptions & {
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
export async function readConnectInput(context: CliContext, options: ConnectOptions): Promise<ConnectRequest> {
  const { platform, name, complianceShop, secret: given, storeUrl: url, complianceKey, complianceSecret } = options;
  if (!isUuid(complianceShop)) throw new CliError('--compliance-shop is not a UUID; give the id that `orderbridge shop create` printed');
  checkSecretFlags(context, { '--secret': given, '--compliance-key': complianceKey, '--compliance-secret': complianceSecret, ...typedCredentials(options) });
  const storefront = storefrontOf(storefronts, platform);
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
