import type { DemoTime } from './demo-time.ts';
import { now, recorded, type Story, type StoryWebhook } from './story.ts';

type Fields = Record<string, unknown>;

/** Orders of “Тера”, a coffee roaster with a self-made shop that signs with Standard Webhooks. */
export function standardStories(time: DemoTime): Story[] {
  const order = (type: string, minute: number, basket: CoffeeBasket) => coffeeWebhook(type, coffeeOrder(time, minute, basket));
  const uneven = { id: 'a', name: 'Кафе Етиопия 250 г', quantity: 3, amount: '15.05', vatRate: '20' };
  const blend = { id: 'a', name: 'Домашна смес 1 кг', vatRate: '20' };
  const mill = { id: 'a', name: 'Ръчна мелничка', quantity: 1, amount: '59.00', vatRate: '20' };
  const filters = { id: 'b', name: 'Филтри', quantity: 2, amount: '8.40', vatRate: '20' };
  const colombia = { id: 'a', name: 'Кафе Колумбия 500 г', quantity: 1, amount: '18.00', vatRate: '20' };
  const edited = order('order.updated', 37, { id: '3002', total: '21.00', lines: [{ ...blend, quantity: 1, amount: '21.00' }] });
  return [
    story('3001', '3 pieces for 15.05', { webhooks: [order('order.paid', 3, { id: '3001', total: '15.05', lines: [uneven] })], ends: recorded('15.05') }),
    story('3002', 'edited after it was recorded', {
      webhooks: [order('order.paid', 4, { id: '3002', total: '42.00', lines: [{ ...blend, quantity: 2, amount: '42.00' }] }), { ...edited, act: 2 }],
      ends: recorded('21.00'),
    }),
    story('3003', 'an edit that overtook its order', {
      webhooks: [
        order('order.updated', 6, { id: '3003', total: '67.40', lines: [mill, filters] }),
        order('order.paid', 5, { id: '3003', total: '59.00', lines: [mill] }),
      ],
      ends: recorded('67.40'),
    }),
    story('3004', 'lines of 18.00, a total of 19.00', {
      webhooks: [order('order.paid', 7, { id: '3004', total: '19.00', lines: [colombia] })],
      ends: { state: 'review', code: 'total.mismatch', total: null },
    }),
  ];
}

type CoffeeBasket = { id: string; total: string; lines: readonly Fields[] };

export function coffeeWebhook(type: string, order: Fields): StoryWebhook {
  return now(type, { type, data: { order } });
}

/** The documented JSON of an order; see docs/own-shop.md. */
export function coffeeOrder({ utc }: DemoTime, minute: number, { id, total, lines }: CoffeeBasket): Fields {
  return {
    id,
    number: id,
    status: 'paid',
    createdAt: utc(2),
    updatedAt: utc(minute),
    paidAt: utc(3),
    currency: 'EUR',
    total,
    lines,
    payment: { method: 'mypos', transactionId: `mp_demo_${id}` },
    customer: { email: 'kafe@example.com', firstName: 'Иван', lastName: 'Стоянов' },
    refunds: [],
  };
}

function story(orderId: string, what: string, rest: Pick<Story, 'webhooks' | 'ends'>): Story {
  return { platform: 'standard', orderId, number: orderId, what, ...rest };
}
