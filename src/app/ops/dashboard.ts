import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Job, Queue } from 'bullmq';
import { type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import { DELIVERIES, MAINTENANCE, SUBMISSIONS, unpacked } from '../../bridge/delivery/jobs.ts';
import { type AdminAuthDeps, adminAuth } from './admin-auth.ts';

const PATH = '/admin/queues';

// Styles in the page and on elements are bull-board's own; scripts, fonts and requests come from here alone.
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

export type DashboardDeps = AdminAuthDeps & { queues: readonly Queue[] };

/** The dashboard of the queues at `/admin/queues`: it only shows, and of a job only what it is about. */
export function dashboardRouter({ queues, ...gate }: DashboardDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  // Whether a browser may only use HTTPS is said by the proxy that speaks it, for the whole host.
  const headers = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  router.use('/admin', headers, adminAuth(gate));
  router.use(PATH, board(queues));
  return router;
}

function board(queues: readonly Queue[]): Router {
  const serverAdapter = new OwnPage();
  serverAdapter.setBasePath(PATH);
  const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
  createBullBoard({ queues: queues.map((queue) => new DiscreetQueue(queue)), serverAdapter, options: { uiBasePath, uiConfig: {} } });
  return serverAdapter.getRouter() as Router;
}

/** Its jobs are shown without what they carry, on every page. */
class DiscreetQueue extends BullMQAdapter {
  constructor(queue: Queue) {
    super(queue, { readOnlyMode: true });
  }

  override async getJob(id: string): Promise<Job | undefined> {
    const job = await super.getJob(id);
    return job === undefined ? undefined : discreet(job);
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>): Promise<Job[]> {
    return (await super.getJobs(...args)).map(discreet);
  }

  // Nothing of ours writes there.
  override async getJobLogs(): Promise<string[]> {
    return [];
  }
}

// A job is read anew for each request: nobody else sees it.
function discreet(job: Job): Job {
  job.data = shownData(job.queueName, job.data);
  // Absent until it failed.
  if (typeof job.failedReason === 'string') job.failedReason = shownReason(job.failedReason);
  job.stacktrace = (job.stacktrace ?? []).map(shownStack);
  job.returnvalue = null;
  job.progress = 0;
  return job;
}

/** The page without the fonts that it would load from elsewhere. */
class OwnPage extends ExpressAdapter {
  constructor() {
    super();
    this.app.disable('x-powered-by').enable('case sensitive routing');
  }

  override setEntryRoute({ route, handler }: Parameters<ExpressAdapter['setEntryRoute']>[0]): ExpressAdapter {
    this.app.get(route, (_request: Request, response: Response) => {
      const { name, params } = handler({ basePath: this.basePath, uiConfig: this.uiConfig });
      response.render(name, params, (error: Error | null, html: string) => {
        if (error !== null) throw error;
        response.send(html.replace(/<link href="https?:[^>]*>/g, ''));
      });
    });
    return this;
  }
}

const text = z.string();
const maybe = text.nullish();

// Only what is named here is shown: a field that is added to a job stays hidden until somebody decides otherwise.
const order = z.object({ orderId: maybe, snapshot: z.object({ number: maybe }).nullish() });
const delivery = z
  .object({
    id: text,
    connectionId: text,
    store: maybe,
    topic: text,
    arrivedAt: text,
    normalized: z.preprocess(unpacked, z.object({ kind: text, news: order.nullish() })),
  })
  .transform(({ connectionId, normalized: { kind, news }, ...same }) => ({
    ...same,
    connection: connectionId,
    kind,
    orderId: news?.orderId ?? null,
    orderNumber: news?.snapshot?.number ?? null,
  }));

const shown: Readonly<Record<string, z.ZodType>> = {
  [DELIVERIES]: z.object({ v: z.int(), deliveries: z.array(delivery) }),
  [SUBMISSIONS]: z.object({
    v: z.int(),
    orderId: z.int(),
    connectionId: text,
    // Without the names of what was bought, which may name the buyer.
    order: z.object({ number: maybe, total: maybe, currency: maybe }),
  }),
  [MAINTENANCE]: z.object({
    v: z.int(),
    what: text,
    scope: z.object({ destinationId: text, shopId: maybe, callType: text }).optional(),
  }),
};

/** What a job is about, for the dashboard: store, order number, topic, when. Never a buyer or a body. */
export function shownData(queue: string, data: unknown): unknown {
  const parsed = shown[queue]?.safeParse(data);
  return parsed?.success === true ? parsed.data : 'This job is of an unknown shape; its content is not shown.';
}

/** Why a job failed, without what may be quoted in it: values of a row, an address. */
function shownReason(reason: string): string {
  const [line = ''] = reason.split('\n');
  return line
    .replace(/"[^"]*"?|'[^']*'?|“[^”]*”?/g, '…')
    .replace(/(?<!\S)\S*@\S*/g, '…')
    .slice(0, 300);
}

/** The frames of a stack, without the message that they begin with. */
function shownStack(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at [^\n]*$/.test(line))
    .join('\n');
}
