import { requestFailed } from '../bridge/bridge-events.ts';
import { type ConnectRouters, connectRouters } from '../connect/connect-routers.ts';
import type { ConsoleDeps } from '../console/base/console-deps.ts';
import { openLooks } from '../operations/onboarding/look-at-orders.ts';
import type { Core } from './core.ts';
import { openStoreKeys } from './store-keys.ts';

/** The pages by which merchants connect their stores; served wherever the console is, always on PORT. */
export function openConnect(core: Core, deps: ConsoleDeps): ConnectRouters {
  const { log, sealer } = core;
  const { tokens } = openStoreKeys(core);
  return connectRouters({
    deps: { ...deps, sealer, tokens, looks: openLooks(Date.now) },
    log: { failed: (error, about) => requestFailed(log, error, about) },
  });
}
