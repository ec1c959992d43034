import type { DemoStore } from './demo-stores.ts';
import type { DemoTime } from './demo-time.ts';
import { coffeeOrder } from './standard-stories.ts';
import type { StoryWebhook } from './story.ts';
import { type WooBasket, type WooItem, wooOrder } from './woocommerce-bodies.ts';

const stories: WooItem = { id: 78, name: 'Разкази за деца', quantity: 1, net: '16.51', vat: '1.49', rate: 9 };
const guide: WooItem = { id: 79, name: 'Пътеводител „Родопи“', quantity: 2, net: '45.87', vat: '4.13', rate: 9 };
const lamp: WooItem = { id: 80, name: 'Лампа за четене', quantity: 1, net: '20.00', vat: '4.00', rate: 20 };

const baskets: readonly Omit<WooBasket, 'id'>[] = [
  { total: '18.00', items: [stories] },
  { total: '50.00', items: [guide] },
  { total: '42.00', items: [stories, lamp] },
  { total: '24.00', items: [lamp] },
];

/** An order that the demo settles. */
export const SETTLED = '3005';
const ALIKE = Array.from({ length: 11 }, (_, index) => 2010 + index);

/** What the console has to show beside the stories: eleven more orders that wait for the answer to 2009, and one whose answer was given. */
export function withCrowds(stores: readonly DemoStore[], time: DemoTime): DemoStore[] {
  return stores.map((store) => {
    if (store.platform === 'woocommerce') return { ...store, crowd: { topic: 'order.created', numbers: '2010 to 2020', webhooks: alike(time) } };
    if (store.platform === 'standard') return { ...store, crowd: { topic: 'order.paid', numbers: SETTLED, webhooks: [fair(time)] } };
    return store;
  });
}

function alike(time: DemoTime): StoryWebhook[] {
  return ALIKE.flatMap((id, index) => {
    const basket = baskets[index % baskets.length];
    return basket === undefined ? [] : [{ act: 1, topic: 'order.created', body: wooOrder(time, id % 100, { id, ...basket, method: 'econt_pay' }) }];
  });
}

/** Its lines are not what was paid. */
function fair(time: DemoTime): StoryWebhook {
  const lines = [{ id: 'a', name: 'Кафе на панаира', quantity: 4, amount: '12.00', vatRate: '20' }];
  const order = coffeeOrder(time, 8, { id: SETTLED, total: '14.00', lines });
  return { act: 1, topic: 'order.paid', body: { type: 'order.paid', data: { order } } };
}
