import type { Remains } from '../contract.ts';

/** What a person removes in the shop's admin; what an app may do, and its webhooks, end when it is uninstalled. */
export const remains: Remains = {
  webhooks: (path) => ({
    en: `Webhooks whose URL ends with ${path} may still be in the shop, and are refused here: delete them under Settings → Notifications → Webhooks; those of an app end when it is uninstalled.`,
    bg: `В магазина може още да има известия, чийто адрес завършва на ${path}; тук те се отказват: изтрийте ги в Settings → Notifications → Webhooks; тези на приложение спират, когато го деинсталирате.`,
  }),
  key: () => ({
    en: 'As long as the app is installed in the shop, its access is still valid: uninstall it under Settings → Apps and sales channels.',
    bg: 'Докато приложението е инсталирано в магазина, достъпът му още важи: деинсталирайте го в Settings → Apps and sales channels.',
  }),
};
