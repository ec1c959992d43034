import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Job, Queue } from 'bullmq';
import { type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { type AdminAuthDeps, adminAuth } from './admin-auth.ts';
import { shownData, shownReason, shownStack } from './shown-job.ts';

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
