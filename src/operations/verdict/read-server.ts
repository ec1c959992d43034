import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Whether a server runs. Where stores are connected, nothing else tells that it does not: no webhook comes, and nothing is behind. */
export const serverReader: Reader = {
  codes: ['server.down'],
  async read({ isServed, live }) {
    const connections = await live();
    if (connections.length === 0 || isServed === undefined || (await isServed())) return [];
    const words = 'no server runs on this DATA_DIR, so webhooks reach nobody, and nothing is submitted';
    return [reasonOf('server.down', { words, verb: 'start' })];
  },
};
