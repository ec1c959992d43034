import type { Draw, Draws } from './draw-shot.ts';
import type { Family } from './families.ts';
import { type MerchantName, pathOf } from './merchant.ts';
import { orderId, pluginOrder, shopifyOrder } from './order-bodies.ts';
import { another, bytesOf, signed, type Unnamed } from './order-shots.ts';

/** Any answer but a crash: what counts is that nothing comes of it. */
const ANY = [200, 400, 401, 404, 409, 410, 422];

const appTopics = ['app/uninstalled', 'shop/redact', 'customers/redact', 'orders/delete', 'refunds/create', 'order_transactions/create', 'orders/edited', ''];
const pluginTopics = ['order.deleted', 'order.restored', 'action.woocommerce_order_deleted', ''];

/** Bodies that were signed for something else: somebody captured them on their way. */
export const relabelledShots: Draws = {
  relabelled: (draw) => {
    if (draw.dice.chance(0.3)) return captured(draw, { merchant: 'plugin', topic: draw.dice.pick(pluginTopics), body: bodyOf(draw, 'order, plugin') });
    const shot = captured(draw, { merchant: 'captured-app', topic: draw.dice.pick(appTopics), body: bodyOf(draw, 'order, captured') });
    return draw.dice.chance(0.2) ? elsewhere(draw) : shot;
  },
};

function captured(draw: Draw, sent: { merchant: MerchantName; topic: string; body: Buffer }): Unnamed {
  return { ...signed(draw, sent), expected: ANY };
}

function bodyOf(draw: Draw, family: Family & `order, ${string}`): Buffer {
  const of = another(draw, family, -1) ?? another(draw, family, 1) ?? draw.plan.indexOf(family);
  return bytesOf((family === 'order, plugin' ? pluginOrder : shopifyOrder)(orderId(of)).body);
}

/** An order of one shop at the address of another; both have the app's one secret. */
function elsewhere(draw: Draw): Unnamed {
  const shot = captured(draw, { merchant: 'captured-app', topic: 'orders/paid', body: bodyOf(draw, 'order, captured') });
  return { ...shot, path: pathOf(draw.merchants.app) };
}
