// The load generator for webhooks.
import { runLoad } from '../load.ts';
import { signedRequest } from '../signed-request.ts';
import type { LoadOrder } from './messages.ts';

process.on('message', async (order: LoadOrder) => {
  process.send?.(await runLoad({ ...order, request: (i) => signedRequest({ ...order, number: order.first + i }) }));
});
process.once('disconnect', () => process.exit());
process.send?.({ port: 0 });
