import { expect, test } from 'vitest';
import { orderNotes } from '../../../../../src/bridge/storefronts/woocommerce/api.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';

const text = 'Recorded as document 0000000012.\n(orderbridge: recorded 0000000012 7-1)';

test('a note is private, moves nothing of its order, and is found again by its words', async () => {
  await using it = await startWooReader();
  const { floor, notes } = it.store;
  const order = floor.buy();
  const before = structuredClone(order);
  it.clock.now += 5_000;
  const orderId = String(order.id);

  expect(await orderNotes.has(it.access(), { orderId, words: ' 7-1)' }, it.means())).toBe(false);
  expect(await orderNotes.write(it.access(), { orderId, text }, it.means())).toBe('written');
  expect(await orderNotes.has(it.access('read'), { orderId, words: ' 7-1)' }, it.means())).toBe(true);
  expect(await orderNotes.has(it.access(), { orderId, words: ' 7-10)' }, it.means())).toBe(false);
  expect(notes.of(order.id)).toMatchObject([{ note: text, customer_note: false }]);
  expect(floor.order(order.id)).toEqual(before);
});

test('an order that the store does not have gets none', async () => {
  await using it = await startWooReader();

  expect(await orderNotes.write(it.access(), { orderId: '7', text }, it.means())).toBe('gone');
  expect(await orderNotes.has(it.access(), { orderId: '7', words: text }, it.means())).toBe(null);
});

test('a key that may only read is refused as such, and so is what a firewall refuses alone; who may not even read is a failure of the store', async () => {
  await using it = await startWooReader();
  const orderId = String(it.store.floor.buy().id);
  const write = (key: 'read' | 'customer') => orderNotes.write(it.access(key), { orderId, text }, it.means());

  expect(await write('read')).toEqual({ refused: expect.stringContaining('its REST key may only read') });
  await expect(write('customer')).rejects.toMatchObject({ code: 'storefront.refused', denial: 'key' });
  it.store.host.intercept = ({ method }) => (method === 'POST' ? { status: 403, body: '<h1>Forbidden</h1>' } : undefined);
  expect(await write('read')).toEqual({ refused: expect.stringContaining('a firewall, a password or a security plugin') });
  it.store.host.intercept = () => ({ status: 403, body: '<h1>Forbidden</h1>' });
  await expect(write('read')).rejects.toMatchObject({ code: 'storefront.refused', denial: 'blocked' });
  it.store.host.intercept = () => ({ status: 503, body: null });
  await expect(write('read')).rejects.toMatchObject({ code: 'storefront.unreachable' });
});

test('notes that are no list are unreadable', async () => {
  await using it = await startWooReader();
  it.store.host.intercept = () => ({ status: 200, body: { note: text } });

  await expect(orderNotes.has(it.access(), { orderId: '7', words: text }, it.means())).rejects.toMatchObject({ code: 'storefront.unreachable' });
});
