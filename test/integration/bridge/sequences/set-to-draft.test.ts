import { describe, expect, test } from 'vitest';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { saved, startWooShop } from '../../../support/worlds/woo-shop.ts';

const world = useSharedWorlds();

describe('core 3: a recorded order is set to “Draft”', () => {
  test.each([
    ['checkout-draft', {}],
    ['draft', { date_paid_gmt: null }],
  ])('as %s %j a person is asked, the record stays when the store’s clean-up deletes it, and setting it back goes on', async (status, paid) => {
    await using it = await world();
    await using shop = await startWooShop(it, { keys: false });
    await shop.send('order.updated', saved(0));
    await shop.ends('recorded', ['48.00']);

    await shop.send('order.updated', saved(5, { status, ...paid }));
    expect((await shop.ends('review', ['48.00'])).review?.code).toBe('removal.unproven');
    await shop.send('order.deleted', { id: 7 });
    expect((await shop.ends('review', ['48.00'])).review?.code).toBe('removal.unproven');

    await shop.send('order.updated', saved(9));
    await shop.ends('recorded', ['48.00']);
    expect(it.service.current('7')).toHaveLength(1);
  });
});
