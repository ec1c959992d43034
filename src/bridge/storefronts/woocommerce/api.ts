import type { StoreApi } from '../contract.ts';
import { changedSince } from './changed-since.ts';
import { checkAccess } from './check-access.ts';
import { complete } from './complete.ts';
import { identify } from './identify.ts';
import { ordersById } from './orders-by-id.ts';
import { storeName } from './store-name.ts';
import { subscriptions } from './subscriptions.ts';

/** The REST API of WooCommerce, version v3, with a key of WooCommerce → Settings → Advanced → REST API. */
export const api: StoreApi = {
  words: 'with the two keys, what webhooks leave out or lose is read from it (WooCommerce)',
  credentials: {
    consumerKey: {
      placeholder: 'key',
      words: 'key of the store’s REST API, with read permission; with read/write, webhooks that stopped are made anew',
      bg: 'ключ за REST API на магазина с право на четене; с право и на писане спрелите известия се създават отново',
    },
    consumerSecret: { placeholder: 'secret', words: 'secret of the store’s REST API', bg: 'тайната към ключа за REST API на магазина' },
  },
  complete,
  identify,
  changedSince,
  // The time of change is set when a save begins, and shows when it has ended: a web request may take a minute.
  lagMs: 60_000,
  storeName,
  ordersById,
  ordersAtOnce: 25,
  checkAccess,
  subscriptions,
};
