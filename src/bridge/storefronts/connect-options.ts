import type { PlatformOptions } from './contract.ts';

/** What `connect` asks for the stores of each storefront of the registry. Apart from it, so that no help loads a platform. */
export const connectOptions = {
  shopify: {
    nameHint: 'for Shopify its domain, such as example.myshopify.com',
    api: {
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
    },
  },
  woocommerce: {
    api: {
      words: 'with the two keys, what webhooks leave out or lose is read from it (WooCommerce)',
      credentials: {
        consumerKey: {
          placeholder: 'key',
          words: 'key of the store’s REST API, with read permission; with read/write, webhooks that stopped are made anew',
          bg: 'ключ за REST API на магазина с право на четене; с право и на писане спрелите известия се създават отново',
        },
        consumerSecret: { placeholder: 'secret', words: 'secret of the store’s REST API', bg: 'тайния ключ (secret) за REST API на магазина' },
      },
    },
  },
  standard: { api: { words: 'the address of an own shop’s endpoint that lists its orders (docs/own-shop.md)', credentials: {} } },
} as const satisfies Readonly<Record<string, PlatformOptions>>;
