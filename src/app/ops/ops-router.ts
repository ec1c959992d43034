import { timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Registry } from 'prom-client';

export type OpsDeps = {
  registry: Registry;
  /** Reads the gauges before each scrape; if a source is down, they stay as they were. */
  refresh(): Promise<void>;
  /** Each dependency by name: resolves if it is up, rejects with the reason if not. */
  checks: Record<string, () => Promise<void>>;
  adminToken: string | null;
  queues: readonly Queue[];
  /** True once shutting down: no new work is sent here. */
  isStopping(): boolean;
};

const DASHBOARD = '/admin/queues';

/** `GET /healthz`, `/readyz`, `/metrics`, and the queue dashboard behind ADMIN_TOKEN. */
export function opsRouter(deps: OpsDeps): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ alive: true });
  });
  router.get('/readyz', (_request, response) => ready(deps, response));
  router.get('/metrics', async (_request, response) => {
    await deps.refresh().catch(() => undefined);
    response.type(deps.registry.contentType).send(await deps.registry.metrics());
  });
  if (deps.adminToken !== null) router.use(DASHBOARD, helmet({ contentSecurityPolicy: false }), basicAuth(deps.adminToken), dashboard(deps.queues));
  return router;
}

async function ready({ checks, isStopping }: OpsDeps, response: Response): Promise<void> {
  const names = Object.keys(checks);
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
  const reasons = results.flatMap((result, i) => (result.status === 'rejected' ? [`${names[i]}: ${words(result.reason)}`] : []));
  if (isStopping()) reasons.push('shutting down');
  response.status(reasons.length === 0 ? 200 : 503).json({ ready: reasons.length === 0, reasons });
}

function words(reason: unknown): string {
  return reason instanceof Error ? reason.message || ('code' in reason ? String(reason.code) : reason.name) : String(reason);
}

/** Any user name, the token as password; compared in constant time. */
function basicAuth(token: string) {
  const expected = Buffer.from(token);
  return (request: Request, response: Response, next: NextFunction): void => {
    const [, encoded = ''] = /^Basic (\S+)$/i.exec(request.get('authorization') ?? '') ?? [];
    const given = Buffer.from(
      Buffer.from(encoded, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, ''),
    );
    if (given.byteLength === expected.byteLength && timingSafeEqual(given, expected)) next();
    else
      response
        .set('WWW-Authenticate', 'Basic realm="orderbridge", charset="UTF-8"')
        .status(401)
        .json({ code: 'unauthorized', detail: 'Any user name, ADMIN_TOKEN as the password.' });
  };
}

function dashboard(queues: readonly Queue[]): Router {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(DASHBOARD);
  createBullBoard({ queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: false })), serverAdapter });
  return serverAdapter.getRouter() as Router;
}
