import { expect, test } from 'vitest';
import { orderText } from '../../../../src/cli/text/order-text.ts';
import { showOrder } from '../../../../src/operations/orders/show-order.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { useWorlds } from '../../../support/worlds/world.ts';

const world = useWorlds();

const EVIL = '\u001b]0;pwned\u0007\u001b[2J\u009b\u202e';

test('finding 14: `orderbridge order` prints nothing of a store’s text that a terminal would obey', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const id = `7${EVIL}`;
  const order = orderOf(id);
  const refund = { id: `r${EVIL}\nstate  recorded`, at: order['updatedAt'], amount: '1.00' };
  await it.bridge.send(connected, 'order.paid', { order: { ...order, number: `#7${EVIL}`, refunds: [refund] } });
  await it.bridge.settled(connected, id, 'recorded');

  const lines = orderText(
    await showOrder({ pool: it.bridge.pool, connections: it.bridge.app.core.connections }, { connectionId: connected.connection.id, orderId: id }),
  );

  expect(lines[0]).toContain('#7');
  expect(lines.filter((line) => /\p{Cc}|\p{Bidi_Control}/u.test(line))).toEqual([]);
});
