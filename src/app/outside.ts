import type { Outside } from '../operations/health/checks/network.ts';
import type { Core } from './core.ts';
import { identityProvider } from './identity-provider.ts';
import { mailTransport } from './mail-transport.ts';

/** What checks call over the network. */
export function outsideOf({ config }: Pick<Core, 'config'>, keys: Outside['keys']): Outside {
  return { config, keys, mail: () => mailTransport(config).check(), provider: identityProvider(config) };
}
