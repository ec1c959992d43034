import type { Request, Response } from 'express';
import { originOf } from '../platform/http/request-origin.ts';
import type { ConsoleDeps, ConsoleLog } from './base/console-deps.ts';
import { isAway } from './base/is-away.ts';

export type StreamOptions = { deps: Pick<ConsoleDeps, 'pool' | 'isStopping'>; log: ConsoleLog };

/**
 * Ends a stream whose look failed; the browser opens it again. The log has the error, unless it is explained otherwise: nobody looks any more, the process
 * stops, or the database is away.
 */
export async function endBrokenStream({ deps, log }: StreamOptions, { req, res }: { req: Request; res: Response }, thrown: unknown): Promise<void> {
  const isExpected = res.destroyed || res.writableEnded || deps.isStopping() || (await isAway(deps.pool));
  if (!isExpected) log.failed(thrown, { method: req.method, ...originOf(req, res) });
  res.end();
}
