import { Router } from 'express';
import { AnswerCache } from '../../platform/answer-cache.ts';

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

type ReadinessDeps = {
  /** Each dependency by name: resolves if it is up, rejects with the failed check if not. */
  checks: Record<string, () => Promise<void>>;
  /** Queues that somebody paused: reported, but no failed check to send work elsewhere. */
  pausedQueues(): Promise<string[]>;
  /** Whether nothing is recorded, until a person says so: webhooks are taken all the same. */
  isRecordingStopped(): boolean;
  /** True once shutting down: no new work is sent here. */
  isStopping(): boolean;
  /** The failed checks in full, for the log: anyone who asks gets short words. */
  onChange(change: ReadinessChange): void;
};

/** `err`: of the first dependency that is down. */
type ReadinessChange = { ready: boolean; down: string[]; err?: unknown };

/** `stopped`: the code of the check that says why nothing is recorded. */
type Readiness = { ready: boolean; failedChecks: string[]; paused: string[]; stopped?: 'database.restored' };

type Down = { name: string; err: unknown };

/** Anyone who asks more often gets the same answer. */
const FRESH_MS = 250;

/** Is everything up that this process needs? Never rejects. */
function readiness({ checks, pausedQueues, isRecordingStopped, isStopping, onChange }: ReadinessDeps): () => Promise<Readiness> {
  const cache = new AnswerCache<{ down: Down[]; paused: string[] }>({ freshMs: () => FRESH_MS, size: 1, now: () => performance.now() });
  let known = '';
  const look = async () => {
    const [down, paused] = await Promise.all([whatIsDown(checks), pausedQueues()]);
    const names = down.map(({ name }) => name);
    if (names.join() !== known) onChange({ ready: down.length === 0, down: names, ...(down[0] === undefined ? {} : { err: down[0].err }) });
    known = names.join();
    return { down, paused };
  };
  return async () => {
    const { down, paused } = await cache.get('', look);
    const failedChecks = [...down.map(({ name }) => `${name}: down`), ...(isStopping() ? ['shutting down'] : [])];
    return { ready: failedChecks.length === 0, failedChecks, paused, ...(isRecordingStopped() ? { stopped: 'database.restored' } : {}) };
  };
}

async function whatIsDown(checks: ReadinessDeps['checks']): Promise<Down[]> {
  const results = await Promise.allSettled(Object.values(checks).map((check) => check()));
  return Object.keys(checks).flatMap((name, i) => {
    const result = results[i];
    return result?.status === 'rejected' ? [{ name, err: result.reason }] : [];
  });
}
