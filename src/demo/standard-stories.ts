import type { DemoTime } from './demo-time.ts';
import type { Ending, Story, StoryWebhook } from './story.ts';

type Fields = Record<string, unknown>;

/** Orders of “Тера”, a coffee roaster with a self-made shop that signs with Standard Webhooks. */
export function standardStories(time: DemoTime): Story[] {
  return [unevenPrice(time), edited(time), outOfOrder(time), wrongSum(time)];
}

function unevenPrice(time: DemoTime): Story {
  const order = coffeeOrder(time, 3, {
    id: '3001',
    total: '15.05',
    lines: [{ id: 'a', name: 'Кафе Етиопия 250 г', quantity: 3, amount: '15.05', vatRate: '20' }],
  });
  return story('3001', '3 pieces for 15.05', { webhooks: [now('order.paid', order)], ends: recorded('15.05') });
}

function edited(time: DemoTime): Story {
  const blend = { id: 'a', name: 'Домашна смес 1 кг', vatRate: '20' };
  const before = coffeeOrder(time, 4, { id: '3002', total: '42.00', lines: [{ ...blend, quantity: 2, amount: '42.00' }] });
  const after = coffeeOrder(time, 37, { id: '3002', total: '21.00', lines: [{ ...blend, quantity: 1, amount: '21.00' }] });
  return story('3002', 'edited after it was recorded', { webhooks: [now('order.paid', before), later('order.updated', after)], ends: recorded('21.00') });
}

function outOfOrder(time: DemoTime): Story {
  const mill = { id: 'a', name: 'Ръчна мелничка', quantity: 1, amount: '59.00', vatRate: '20' };
  const filters = { id: 'b', name: 'Филтри', quantity: 2, amount: '8.40', vatRate: '20' };
  const first = coffeeOrder(time, 5, { id: '3003', total: '59.00', lines: [mill] });
  const second = coffeeOrder(time, 6, { id: '3003', total: '67.40', lines: [mill, filters] });
  return story('3003', 'an edit that overtook its order', { webhooks: [now('order.updated', second), now('order.paid', first)], ends: recorded('67.40') });
}

function wrongSum(time: DemoTime): Story {
  const order = coffeeOrder(time, 7, {
    id: '3004',
    total: '19.00',
    lines: [{ id: 'a', name: 'Кафе Колумбия 500 г', quantity: 1, amount: '18.00', vatRate: '20' }],
  });
  return story('3004', 'lines of 18.00, a total of 19.00', {
    webhooks: [now('order.paid', order)],
    ends: { state: 'review', code: 'total.mismatch', total: null },
  });
}

/** The documented JSON of an order; see docs/own-shop.md. */
export function coffeeOrder({ utc }: DemoTime, minute: number, { id, total, lines }: { id: string; total: string; lines: readonly Fields[] }): Fields {
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

function story(orderId: string, what: string, rest: { webhooks: readonly StoryWebhook[] } & Pick<Story, 'ends'>): Story {
  return { platform: 'standard', orderId, number: orderId, what, ...rest };
}

function recorded(total: string): Ending {
  return { state: 'recorded', total };
}

function now(type: string, order: Fields): StoryWebhook {
  return { act: 1, topic: type, body: { type, data: { order } } };
}

function later(type: string, order: Fields): StoryWebhook {
  return { ...now(type, order), act: 2 };
}
