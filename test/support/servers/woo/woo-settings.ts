import { keyError, noRoute, type WooAnswer } from './woo-answer.ts';
import { withFields } from './woo-orders-api.ts';

/** What the store's admin has set, as WooCommerce answers it. */
export type WooSettings = {
  currency: string;
  decimals: number;
  pricesIncludeTax: boolean;
  roundAtSubtotal: boolean;
  rates: { country: string; rate: string; name: string }[];
  gateways: { id: string; title: string; enabled: boolean }[];
  /** Beyond WooCommerce's own. */
  statuses: { slug: string; name: string }[];
};

export const usualSettings: WooSettings = {
  ...{ currency: 'EUR', decimals: 2, pricesIncludeTax: true, roundAtSubtotal: false, statuses: [] },
  rates: [
    { country: 'BG', rate: '20.0000', name: 'ДДС' },
    { country: 'BG', rate: '9.0000', name: 'ДДС' },
  ],
  gateways: [
    { id: 'bacs', title: 'Банков превод', enabled: true },
    { id: 'cod', title: 'Наложен платеж', enabled: true },
    { id: 'cheque', title: 'Чек', enabled: false },
    { id: 'stripe', title: 'Карта', enabled: true },
  ],
};

const yes = (value: boolean) => (value ? 'yes' : 'no');

/** `GET taxes`, `payment_gateways`, `settings/tax`, `orders/statuses`; undefined: another path. */
export function settingsApi(settings: WooSettings, path: string, query: URLSearchParams): WooAnswer | undefined {
  const ok = (list: readonly object[]): WooAnswer => ({ status: 200, body: list.map((item) => withFields(item, query)) });
  if (path === 'taxes') return ok(settings.rates.map((rate, i) => ({ id: i + 1, priority: 1, compound: false, shipping: true, class: 'standard', ...rate })));
  if (path === 'payment_gateways') {
    // The full answer has secrets of the gateways: nobody may ask for it.
    if (!query.has('_fields')) return keyError('The stand-in gives gateways with _fields alone.');
    return ok(settings.gateways.map((gateway) => ({ ...gateway, method_title: gateway.title, settings: { secret_key: { value: 'sk_live_secret' } } })));
  }
  if (path === 'settings/tax') {
    const { pricesIncludeTax, roundAtSubtotal } = settings;
    const values = { woocommerce_prices_include_tax: yes(pricesIncludeTax), woocommerce_tax_round_at_subtotal: yes(roundAtSubtotal) };
    return ok(Object.entries(values).map(([id, value]) => ({ id, label: id, value })));
  }
  if (path === 'orders/statuses') return ok([{ slug: 'processing', name: 'В обработка' }, { slug: 'completed', name: 'Изпълнена' }, ...settings.statuses]);
  return path.startsWith('settings/') ? noRoute : undefined;
}

export function systemSettings({ currency, decimals }: WooSettings): { currency: string; number_of_decimals: number } {
  return { currency, number_of_decimals: decimals };
}
