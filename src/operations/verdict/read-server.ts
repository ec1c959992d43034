import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

/** Whether a server runs. Where stores are connected, nothing else tells that it does not: no webhook comes, and nothing is behind. */
export const serverReader: Reader = {
  codes: ['server.down'],
  async read({ isServed, live, config: { dataDir } }) {
    if (isServed === undefined || (await isServed())) return [];
    const isElsewhere = 'if the server has another folder, run this command there, or set DATA_DIR';
    // Most likely a command that was given in another folder than the server's: nothing else would tell.
    if ((await live()).length === 0) {
      return [
        reasonOf('server.down', { level: 'attention', words: `no server runs on ${dataDir}, and no store is connected there; ${isElsewhere}`, verb: 'start' }),
      ];
    }
    const words = `no server runs on this DATA_DIR (${dataDir}), so webhooks reach nobody, and nothing is submitted; ${isElsewhere}`;
    return [reasonOf('server.down', { words, verb: 'start' })];
  },
};
