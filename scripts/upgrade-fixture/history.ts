import { until } from '../../test/support/worlds/settled.ts';
import { refundedStandardOrder, shopifyOrder, standardOrder, wooOrder } from './bodies.ts';
import { connect, createShop, type Store, send } from './stores.ts';
import { settled, standing, type World } from './world.ts';

const OCTOBER = '2026-10-20T10:00:00Z';
/** The day after the shops' day, within the term of October. */
const NOVEMBER = '2026-11-11T10:00:00Z';

const settings = { recordFrom: '2026-01-01T00:00:00Z', transactionWaitSeconds: 0 };

export type OwnStores = Record<'own' | 'woo' | 'shopify' | 'closed', Store>;

/** Three shops sell in October and file in November; a fourth has closed. */
export async function history(world: World): Promise<OwnStores> {
  const stores = await openStores(world);
  await october(world, stores);
  await november(world, stores);
  return stores;
}

async function openStores({ program }: World): Promise<OwnStores> {
  const shop = (name: string, uic: string, changes: readonly string[] = []) => createShop(program, { name, uic, changes }, OCTOBER);
  const own = await shop('Дом', '200000015', ['--receipt-start-number', '500']);
  const woo = await shop('Чаши', '206770508');
  const shopify = await shop('Ъгъл', '131071587');
  const closed = await shop('Затворен', '131071587');
  const at = OCTOBER;
  const stores = {
    own: await connect(program, { platform: 'standard', name: 'Dom', shop: own, settings: { ...settings, receipts: true }, at }),
    woo: await connect(program, { platform: 'woocommerce', name: 'Cups', shop: woo, settings, at }),
    shopify: await connect(program, {
      platform: 'shopify',
      name: 'corner.myshopify.com',
      shop: shopify,
      settings: { ...settings, vatGroups: { '9': 'GROUP_D' } },
      at,
    }),
    closed: await connect(program, { platform: 'standard', name: 'Closed', shop: closed, settings, at }),
  };
  await program.run(['disconnect', stores.closed.connection], { at });
  return stores;
}

const kept = { id: 'kept', at: '2026-10-18T08:00:00Z' };
const edited = { id: 'edited', at: '2026-10-18T09:00:00Z' };
const voided = { id: 'voided', at: '2026-10-18T10:00:00Z' };
const returned = { id: 'returned', at: '2026-10-18T11:00:00Z', total: '60.00' };
export const returnedLate = { id: 'returned-late', at: '2026-10-18T12:00:00Z', total: '36.00' };

async function october(world: World, { own, woo, shopify }: OwnStores): Promise<void> {
  const server = await world.program.start('all', { at: OCTOBER });
  for (const sale of [kept, edited, voided, returned, returnedLate]) {
    await send(server, own, { topic: 'order.paid', body: { order: standardOrder(sale) }, at: OCTOBER });
    // One after the other, so that the numbers follow the story.
    await settled(world, own, { [sale.id]: 'recorded' });
  }
  const change = { updatedAt: '2026-10-19T08:00:00Z' };
  await send(server, own, { topic: 'order.updated', body: { order: standardOrder({ ...edited, total: '30.00' }, change) }, at: OCTOBER });
  await send(server, own, { topic: 'order.refunded', body: { order: refundedStandardOrder(voided, '2026-10-19T09:00:00Z') }, at: OCTOBER });
  await send(server, woo, { topic: 'order.created', body: wooOrder({ id: '101', at: '2026-10-18T08:00:00Z' }) });
  await send(server, shopify, { topic: 'orders/paid', body: shopifyOrder({ id: '9001', at: '2026-10-18T08:00:00Z' }) });
  await settled(world, own, { voided: 'removed' });
  await settled(world, woo, { '101': 'recorded' });
  await settled(world, shopify, { '9001': 'recorded' });
  await until(async () => (await standing(world, own)).some(({ internalId, edition }) => internalId === 'edited' && edition === 2), {
    what: 'the second edition',
  });
  await nothingLeft(world);
  await server.stop('SIGTERM');
}

/** The files of October are made and mailed on schedule; one is filed, and then a sale of it is returned. */
async function november(world: World, { own, woo, shopify }: OwnStores): Promise<void> {
  const { program } = world;
  const server = await program.start('all', { at: NOVEMBER });
  for (const { shop, name } of [own, woo, shopify]) {
    await until(async () => (await mails(world, shop)).some(({ kind, state }) => kind.includes('audit') && state === 'sent'), {
      what: `October's file of ${name} to be mailed`,
      timeoutMs: 60_000,
    });
  }
  await program.run(['service', 'audit', 'mark-filed', '--shop', own.shop, '--month', '2026-10'], { at: NOVEMBER });
  await send(server, own, { topic: 'order.refunded', body: { order: refundedStandardOrder(returned, '2026-11-10T09:00:00Z') }, at: NOVEMBER });
  await settled(world, own, { returned: 'removed' });
  await nothingLeft(world);
  await server.stop('SIGTERM');
}

export function mails({ program }: World, shop: string): Promise<{ id: string; kind: string; state: string }[]> {
  return program.json(['service', 'mails', 'list', '--shop', shop]);
}

async function nothingLeft({ program }: World): Promise<void> {
  await program.run(['drain']);
}
