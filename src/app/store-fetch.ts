import { createFetchJson } from '../bridge/store-api/fetch-json.ts';
import type { FetchJson } from '../bridge/storefronts/contract.ts';
import { parseJson } from '../bridge/storefronts/lossless-json.ts';
import type { Config } from '../config/config.ts';

/** How stores' APIs are called under this configuration. */
export function createStoreFetch({ allowPrivateAddresses, timeouts }: Pick<Config, 'allowPrivateAddresses' | 'timeouts'>): FetchJson {
  return createFetchJson({ allowPrivateAddresses, timeouts, parse: parseJson });
}
