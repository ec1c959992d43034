import type { NextFunction, Request, Response, Router } from 'express';
import express from 'express';
import { z } from 'zod';
import { asProblem } from './http/http-problem.ts';
import { parseBody, readBytes, readJson } from './http/read-request.ts';
import { send, sendProblem } from './http/send.ts';

const OPERATIONS = ['create', 'delete', 'receipt', 'shop', 'read', 'any'] as const;
/** create and delete are of orders; receipt issues one; shop is any operation on shops; read is anything under /service/v1. */
export type Operation = Exclude<(typeof OPERATIONS)[number], 'any'>;

const shared = { on: z.enum(OPERATIONS).default('any'), times: z.int().min(1).max(1_000_000_000).default(1) };
const MAX_SLOW_MS = 600_000;

/** An injected fault: answer with a status and do nothing, do the work and lose the reply, or be slow. */
const fault = z.discriminatedUnion('do', [
  z.strictObject({ ...shared, do: z.literal('status'), status: z.int().min(300).max(599), retryAfter: z.int().min(0).max(86_400).optional() }),
  z.strictObject({ ...shared, do: z.literal('lose-reply') }),
  z.strictObject({ ...shared, do: z.literal('slow'), ms: z.int().min(0).max(MAX_SLOW_MS) }),
]);

const faultPlan = z.strictObject({ faults: z.array(fault).max(100) });

export type Fault = z.output<typeof fault>;
export type PlannedFault = z.input<typeof fault>;

/** Planned failures, in order: each request takes the first one that is meant for it, and uses it once. Kept in the memory of this process. */
export type FaultInjection = {
  /** Replaces the remaining ones; an empty list ends it. Throws a ZodError for an invalid plan. */
  set(faults: readonly PlannedFault[]): void;
  left(): Fault[];
  take(operation: Operation): Fault | undefined;
};

export function createFaultInjection(): FaultInjection {
  let faults: Fault[] = [];
  return {
    set(planned) {
      faults = faultPlan.parse({ faults: planned }).faults;
    },
    left: () => faults.map((one) => ({ ...one })),
    take(operation) {
      const met = faults.find(({ on }) => on === 'any' || on === operation);
      if (met === undefined) return undefined;
      met.times -= 1;
      faults = faults.filter(({ times }) => times > 0);
      return met;
    },
  };
}

/** PUT sets the faults to come, GET shows the remaining ones. It has no authentication: mount it for fault injection only. */
export function faultRouter(faultInjection: FaultInjection): Router {
  const show = (_req: Request, res: Response) => send(res, { status: 200, body: { faults: faultInjection.left() } });
  const plan = async (req: Request, res: Response) => {
    try {
      faultInjection.set(parseBody(faultPlan, readJson(req, await readBytes(req, res))).faults);
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
