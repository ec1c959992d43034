import { loadConfig } from '../../../src/config/load-config.ts';
import type { Outside } from '../../../src/operations/health/checks/network.ts';

/** What is called over the network where nothing is configured and no store is connected; `changes` replaces some. */
export function outsideWith({ env = {}, ...changes }: Partial<Outside> & { env?: Record<string, string> }): Outside {
  const loaded = loadConfig(env, { role: 'all', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  const nobody = () => Promise.reject(new Error('not asked'));
  return {
    triesKeys: true,
    ...{ config: loaded.config, mail: async () => ({ ok: true, words: 'mails are files' }), provider: null, client: { deleteOrder: nobody }, endpoint: nobody },
    ...{ connections: { list: async () => [] }, destinations: { opened: async () => [], pauses: async () => [] } },
    ...changes,
  };
}
