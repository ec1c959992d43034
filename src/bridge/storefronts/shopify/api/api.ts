import type { StoreApi } from '../../contract.ts';
import { changedSince } from './changed-since.ts';
import { checkAccess } from './check-access.ts';
import { complete } from './complete.ts';
import { identify, storeName } from './identify.ts';
import { letsIn } from './lets-in.ts';
import { ordersById } from './orders-by-id.ts';
import { renewGrant } from './renew-grant.ts';
import { showsSince } from './shows-since.ts';
import { subscriptions } from './subscriptions.ts';

/** The GraphQL Admin API of a shop, with an app's token, or with the id and the secret of an app of the shop's own organisation. */
export const api: StoreApi = {
  words: 'with a token, or the id and secret of an app, orders are read from its Admin API as a second source (Shopify: https://NAME.myshopify.com)',
  credentials: {
    accessToken: {
      placeholder: 'token',
      words: 'token of the store’s API, with the right to read orders',
      bg: 'ключ за API на магазина с право да чете поръчки',
    },
    clientId: {
      placeholder: 'id',
      words: 'client id of an app of the shop’s own organisation, installed in the shop',
      bg: 'client id на приложение на собствената организация, инсталирано в магазина',
    },
    clientSecret: { placeholder: 'secret', words: 'client secret of that app', bg: 'client secret на същото приложение' },
  },
  credentialSets: [['accessToken'], ['clientId', 'clientSecret']],
  complete,
  identify,
  letsIn,
  changedSince,
  showsSince,
  // The list is of a search index, which follows changes within minutes.
  lagMs: 10 * 60_000,
  storeName,
  ordersById,
  // On the smallest plan they take a quarter of a minute's points.
  ordersAtOnce: 10,
  checkAccess,
  renewGrant,
  subscriptions,
};
