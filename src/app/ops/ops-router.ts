import { Router } from 'express';
import type { Registry } from 'prom-client';
import { type ReadinessDeps, readiness } from './readiness.ts';

/** `GET /healthz`: the process is alive; `GET /readyz`: what it depends on is up. */
export function healthRouter(deps: ReadinessDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const read = readiness(deps);
  router.get('/healthz', (_request, response) => {
    response.json({ alive: true });
  });
  router.get('/readyz', async (_request, response) => {
    const state = await read();
    response.status(state.ready ? 200 : 503).json(state);
  });
  return router;
}

/** `GET /metrics`. `refresh` reads the gauges before; it never rejects. */
export function metricsRouter(registry: Registry, refresh: () => Promise<void>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/metrics', async (_request, response) => {
    await refresh();
    response.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}
