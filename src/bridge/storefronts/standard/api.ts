import type { StoreApi } from '../contract.ts';
import { checkAccess } from './check-access.ts';
import { changedSince, complete, ordersById } from './read-orders.ts';

/** A change may be in the shop's list only after it was dated: its transaction takes time. */
const LAG_MS = 60_000;

/** An endpoint of the shop's own, which lists its orders as docs/standard-webhooks.md says; our requests are signed with the connection's secret. */
export const api: StoreApi = {
  words: 'the address of an own shop’s endpoint that lists its orders (docs/standard-webhooks.md)',
  credentials: {},
  changedSince,
  lagMs: LAG_MS,
  ordersById,
  checkAccess,
  complete,
};
