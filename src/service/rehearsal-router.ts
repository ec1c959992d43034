import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { asProblem } from './http/as-problem.ts';
import { parseBody } from './http/parse-body.ts';
import { readBytes, readJson } from './http/read-request.ts';
import { type Rehearsal, rehearsalPlan } from './http/rehearsal.ts';
import { send, sendProblem } from './http/send.ts';

/** PUT sets the faults to come, GET shows the remaining ones. It has no authentication: mount it for rehearsals only. */
export function rehearsalRouter(rehearsal: Rehearsal): Router {
  const show = (_req: Request, res: Response) => send(res, { status: 200, body: { faults: rehearsal.left() } });
  const plan = async (req: Request, res: Response) => {
    try {
      rehearsal.set(parseBody(rehearsalPlan, readJson(req, await readBytes(req, res))).faults);
      show(req, res);
    } catch (thrown) {
      sendProblem(res, asProblem(thrown));
    }
  };
  return express.Router().use(exactPath).get('/', show).put('/', plan);
}

// A mounted router does not see whether its address ended with a slash.
function exactPath({ originalUrl }: Request, _res: Response, next: NextFunction): void {
  next(/\/(\?|$)/.test(originalUrl) ? 'router' : undefined);
}
