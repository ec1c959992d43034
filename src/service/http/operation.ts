import { setTimeout as delay } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isHungUp } from '../../platform/error-words.ts';
import { originOf } from '../../platform/http/request-origin.ts';
import type { Fault, FaultInjection, Operation } from '../fault-injection.ts';
import type { Caller, CallerLookup } from '../keys/api-keys.ts';
import { type About, contentBrokeOff, requestAnswered, requestFailed } from '../service-events.ts';
import type { ServiceLog } from '../service-log.ts';
import { asProblem, HttpProblem } from './http-problem.ts';
import { readRequest } from './read-request.ts';
import { type ContentAnswer, type HttpAnswer, send, sendContent, sendProblem } from './send.ts';

export type OperationCall = { req: Request; caller: Caller; body: Buffer };
/** Does the work of one address; throws a `HttpProblem` if it can't. */
export type Handle = (call: OperationCall) => Promise<HttpAnswer>;

type Deps = { keys: CallerLookup; faultInjection: FaultInjection; log: ServiceLog };

const RETRY_AFTER_SECONDS = '5';

/** Wraps the handler of an address: injected faults, key and signature, the work, the answer, one log line. */
export function operations(deps: Deps): (kind: Operation, handle: Handle) => RequestHandler {
  return (kind, handle) => async (req, res) => {
    const about: About = { operation: kind, method: req.method, keyId: null, ...originOf(req, res) };
    logWhenClosed(res, deps.log, about);
    const fault = deps.faultInjection.take(kind);
    if (fault?.do === 'status') return sendFault(res, fault);
    if (fault?.do === 'slow') await delay(fault.ms);
    const answer = await answerTo({ req, res, handle, about }, deps);
    // The work is committed or refused; from here on the reply can only be late or lost.
    if (fault?.do === 'lose-reply') return void req.socket.destroy();
    if ('content' in answer) await stream(res, answer, { log: deps.log, about });
    else send(res, answer);
  };
}

async function stream(res: Response, answer: ContentAnswer, { log, about }: { log: ServiceLog; about: About }): Promise<void> {
  try {
    await sendContent(res, answer);
  } catch (thrown) {
    // A caller that hangs up is no failure of ours.
    if (!isHungUp(thrown)) contentBrokeOff(log, thrown, about);
  }
}

async function answerTo({ req, res, handle, about }: { req: Request; res: Response; handle: Handle; about: About }, { keys, log }: Deps): Promise<HttpAnswer> {
  try {
    const { caller, body } = await readRequest(req, res, keys);
    about.keyId = caller.usedKeyId;
    return await handle({ req, caller, body });
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.status >= 500) requestFailed(log, thrown, about);
    return { status: problem.status, body: problem, ...(problem.status === 503 && { headers: { 'retry-after': RETRY_AFTER_SECONDS } }) };
  }
}

function logWhenClosed(res: Response, log: ServiceLog, about: About): void {
  const start = performance.now();
  res.once('close', () => requestAnswered(log, { ...about, status: res.headersSent ? res.statusCode : null, ms: Math.round(performance.now() - start) }));
}

function sendFault(res: Response, { status, retryAfter }: Extract<Fault, { do: 'status' }>): void {
  sendProblem(res, new HttpProblem('injected', 'nothing was done', { status }), retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}

/** The handler for other methods of a known address (405), or for an unknown address (404). */
export function refuse(methods: readonly string[]): RequestHandler {
  return (_req, res) => {
    if (methods.length === 0) return sendProblem(res, new HttpProblem('not-found', 'the interface has no such address'));
    const allow = methods.join(', ');
    return sendProblem(res, new HttpProblem('method-not-allowed', `this address takes ${allow}`), { allow });
  };
}

const notFound = refuse([]);

/** A path with broken percent signs would otherwise be answered by Express, in HTML. */
export function readablePath(req: Request, res: Response, next: NextFunction): void {
  if (isReadable(req.path)) return next();
  void notFound(req, res, next);
}

function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
