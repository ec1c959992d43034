import type { Router } from 'express';
import { requestFailed } from '../bridge/bridge-events.ts';
import { connectRouter } from '../connect/connect-router.ts';
import type { ConsoleDeps } from '../console/base/console-deps.ts';
import { openLooks } from '../operations/onboarding/look-at-orders.ts';
import type { Core } from './core.ts';

/** The pages by which merchants connect their stores; served wherever the console is, always on PORT. */
export function openConnect({ log, sealer }: Core, deps: ConsoleDeps): Router {
  return connectRouter({ deps: { ...deps, sealer, looks: openLooks(Date.now) }, log: { failed: (error, about) => requestFailed(log, error, about) } });
}
