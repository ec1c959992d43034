import type { SettingsInput } from '../bridge/connections/connection-settings.ts';
import type { Credentials } from '../bridge/ledger/destination-store.ts';
import type { StoreAccess } from '../bridge/storefronts/contract.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { storefrontOf } from '../bridge/storefronts/storefront-of.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { readSettingsFile } from './read-json-file.ts';
import { type KeyOptions, oneFromStdin, readCredentials, readSecret } from './read-secret.ts';

/** The flags of `connect` as they were typed. */
export type ConnectOptions = KeyOptions & {
  platform: string;
  name: string;
  secret: string;
  complianceShop: string;
  settings?: string;
  storeUrl?: string;
  consumerKey?: string;
  consumerSecret?: string;
};

export type ConnectInput = {
  shopId: string;
  secret: string;
  settings: SettingsInput;
  access: StoreAccess | null;
  store: string | null;
  /** Null: the configured ones. */
  credentials: Credentials | null;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads secrets and files that the flags name, and refuses what could never work. */
export async function readConnectInput(context: CliContext, options: ConnectOptions): Promise<ConnectInput> {
  const { platform, complianceShop, secret: given, complianceKey, complianceSecret, consumerKey, consumerSecret } = options;
  if (!UUID.test(complianceShop)) throw new CliError('--compliance-shop is not a UUID; give the id that `orderbridge shop create` printed');
  oneFromStdin({
    '--secret': given,
    '--compliance-key': complianceKey,
    '--compliance-secret': complianceSecret,
    '--consumer-key': consumerKey,
    '--consumer-secret': consumerSecret,
  });
  const secret = await readSecret(context, '--secret', given);
  const problem = storefrontOf(storefronts, platform).secretProblem(secret);
  if (problem !== null) throw new CliError(problem);
  return {
    shopId: complianceShop.toLowerCase(),
    secret,
    settings: options.settings === undefined ? {} : await readSettingsFile(context, options.settings),
    access: await storeAccess(context, options),
    store: storeName(options),
    credentials: await readCredentials(context, options),
  };
}

async function storeAccess(context: CliContext, { platform, storeUrl, consumerKey, consumerSecret }: ConnectOptions): Promise<StoreAccess | null> {
  if (storeUrl !== undefined && !isWebAddress(storeUrl)) throw new CliError('--store-url must be an address that starts with https:// or http://');
  const asks = storefrontOf(storefronts, platform).complete !== undefined;
  if (!asks && (consumerKey !== undefined || consumerSecret !== undefined)) {
    throw new CliError(`a ${platform} store is never asked: leave out --consumer-key and --consumer-secret`);
  }
  const given = [storeUrl, consumerKey, consumerSecret].filter((value) => value !== undefined).length;
  if (!asks || given === 0) return null;
  if (storeUrl === undefined || consumerKey === undefined || consumerSecret === undefined) {
    throw new CliError('--store-url, --consumer-key and --consumer-secret go together: give all three, or none');
  }
  return {
    url: storeUrl.replace(/\/+$/, ''),
    consumerKey: await readSecret(context, '--consumer-key', consumerKey),
    consumerSecret: await readSecret(context, '--consumer-secret', consumerSecret),
  };
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}

/** Shopify's app-wide webhooks find the connection by the shop's domain; elsewhere the first delivery names the store. */
function storeName({ platform, name, storeUrl }: ConnectOptions): string | null {
  if (platform !== 'shopify') return null;
  if (storeUrl !== undefined) return new URL(storeUrl).hostname;
  return /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/i.test(name) ? name.toLowerCase() : null;
}
