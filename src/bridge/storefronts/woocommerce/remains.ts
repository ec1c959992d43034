import type { Remains } from '../contract.ts';

/** How many characters of a key the store shows in its list of keys. */
const SHOWN = 7;

/** What a person deletes in the store's own pages: the store lets no key delete a key. */
export const remains: Remains = {
  webhooks: (path) => ({
    en: `Webhooks whose Delivery URL ends with ${path} may still be in the store, and are refused here: delete them under WooCommerce → Settings → Advanced → Webhooks.`,
    bg: `В магазина може още да има известия, чийто адрес (Delivery URL) завършва на ${path}; тук те се отказват: изтрийте ги в WooCommerce → Настройки → Разширени → Webhooks.`,
  }),
  key: ({ consumerKey = '' }) => {
    const end = consumerKey.slice(-SHOWN);
    return {
      en: `The key that ends in …${end} still opens the store’s API: press “Revoke” at it under WooCommerce → Settings → Advanced → REST API.`,
      bg: `Ключът, който завършва на …${end}, още отваря API на магазина: натиснете „Revoke“ при него в WooCommerce → Настройки → Разширени → REST API.`,
    };
  },
};
