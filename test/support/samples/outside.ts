import { loadConfig } from '../../../src/config/load-config.ts';
import type { Outside } from '../../../src/operations/health/checks/network.ts';

/** What is called over the network where nothing is configured and no store is connected; `changes` replaces some. */
export function outsideWith({ env = {}, ...changes }: Partial<Outside> & { env?: Record<string, string> }): Outside {
  const loaded = loadConfig(env, { role: 'all', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  return { config: loaded.config, mail: async () => ({ ok: true, words: 'mails are files' }), provider: null, keys: null, ...changes };
}
