import type { StoreApi } from '../contract.ts';
import { complete } from './complete.ts';
import { identify } from './identify.ts';

/** The REST API of WooCommerce, version v3, with a key of WooCommerce → Settings → Advanced → REST API. */
export const api: StoreApi = {
  words: 'with the two keys, refund lines and decimals that a webhook leaves out are fetched from it (WooCommerce)',
  credentials: {
    consumerKey: { placeholder: 'key', words: 'key of the store’s REST API, with read permission' },
    consumerSecret: { placeholder: 'secret', words: 'secret of the store’s REST API' },
  },
  complete,
  identify,
};
