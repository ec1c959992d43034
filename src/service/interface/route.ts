import type { Request, Router } from 'express';
import express from 'express';
import { z } from 'zod';
import { fieldErrors } from '../../contract/schema-errors.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import type { FaultInjection, Operation } from '../fault-injection.ts';
import { invalidQuery, notFound, type ProblemCode } from '../http/http-problem.ts';
import { type Handle, type OperationCall, operations, readablePath, refuse } from '../http/operation.ts';
import { parseBody, readId, readJson } from '../http/read-request.ts';
import type { HttpAnswer } from '../http/send.ts';
import type { Caller, CallerLookup } from '../keys/api-keys.ts';
import type { Orders, OrdersDeps } from '../orders/orders.ts';
import type { ServiceLog } from '../service-log.ts';
import { type answers, type BodyName, checkBody, type Input } from './schemas.ts';
import type { signedExample } from './signed-example.ts';

/** What an operation works with. */
export type RouteDeps = { pool: Pool; now: () => Date; orders: Orders; recording: OrdersDeps; audit: AuditDeps; months: MonthActs };

/** `id`: what the path names, in lower case; '' where it names nothing. `keyId`: whose it must be. `said`: who changes something, for the audit log. */
export type RouteCall<B, Q> = { req: Request; caller: Caller; keyId: string; id: string; said: Authorship; input: B; query: Q };

/** An operation of the interface: what the document says of it, what is checked before it runs, and what it does. */
type Operated<B, Q extends z.ZodObject> = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{id}` and `{month}`. */
  path: string;
  id: string;
  tag: 'Shops' | 'Orders' | 'Months' | 'Reading';
  summary: string;
  description?: string;
  /** Which injected faults it takes; absent: those of reading. */
  faults?: Operation;
  /** What `{id}` is of: another id than a UUID names none. */
  of?: Thing;
  /** A post, put or patch without it takes no body, or an empty object. */
  body?: BodyName;
  bodyIsOptional?: true;
  /** A worked request, with its signature. */
  signed?: typeof signedExample;
  query?: Q;
  headers?: readonly Header[];
  answer: Described;
  /** The answer with status 202. */
  later?: Described;
  /** Besides those that follow from the fields above, and `COMMON_PROBLEMS`. */
  problems?: readonly ProblemCode[];
  handle(call: RouteCall<B, z.output<Q>>, deps: RouteDeps): Promise<HttpAnswer>;
};

/** One that any operation is. */
export type Route = Omit<Operated<unknown, z.ZodObject>, 'handle'> & { handle(call: RouteCall<never, never>, deps: RouteDeps): Promise<HttpAnswer> };

type Thing = Parameters<typeof notFound>[0];

export type Header = { name: string; description: string; maxLength?: number };

type Described = {
  description: string;
  /** Media types and the schema of each; null for bytes. */
  content: Readonly<Record<string, keyof typeof answers | BodyName | null>>;
  headers?: readonly Header[];
};

/** The content of an answer in JSON. */
export function json(schema: keyof typeof answers | BodyName): Described['content'] {
  return { 'application/json': schema };
}

/** Types what `handle` is given by the names of its schemas. */
export function route<const B extends BodyName | undefined = undefined, Q extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  operated: Operated<B extends BodyName ? Input<B> : unknown, Q> & { body?: B },
): Route {
  return operated;
}

/** What any operation may answer. */
const COMMON_PROBLEMS = ['request-invalid', 'unauthorized', 'body-too-large', 'content-type-unsupported', 'internal-error', 'unavailable'] as const;

/** Everything that it may refuse with. */
export function problemsOf(one: Route): ProblemCode[] {
  const ofBody = mayHaveBody(one) ? (['body-not-json', 'body-invalid'] as const) : [];
  const common = COMMON_PROBLEMS.filter((code) => mayHaveBody(one) || code !== 'content-type-unsupported');
  return [...new Set([...ofBody, ...(one.of === undefined ? [] : ['not-found' as const]), ...(one.problems ?? []), ...common])];
}

function mayHaveBody({ method, body }: Route): boolean {
  return body !== undefined || (method !== 'get' && method !== 'delete');
}

type RouterDeps = RouteDeps & { keys: CallerLookup; faultInjection: FaultInjection; log: ServiceLog };

/** Answers the operations whose path begins with `under`; mount it there, before any middleware that reads bodies. */
export function routerOf(routes: readonly Route[], under: string, deps: RouterDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(readablePath);
  const operation = operations(deps);
  const own = routes.filter(({ path }) => path.startsWith(under));
  for (const [path, ofPath] of Map.groupBy(own, (one) => one.path)) {
    const address = router.route(path.slice(under.length).replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const one of ofPath) address[one.method](operation(one.faults ?? 'read', handleOf(one, deps)));
    address.all(refuse(ofPath.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))));
  }
  return router.use(refuse([]));
}

function handleOf(one: Route, deps: RouteDeps): Handle {
  return async (call) => {
    const { req, caller } = call;
    const id = one.of === undefined ? '' : found(readId(req) ?? null, one.of);
    const query = one.query === undefined ? undefined : readQuery(one.query, req.query);
    // As `route` typed them.
    const given = { input: inputOf(one, call), query } as { input: never; query: never };
    return one.handle({ req, caller, keyId: caller.keyId, id, said: { by: `key:${caller.usedKeyId}` }, ...given }, deps);
  };
}

const nothing = z.strictObject({});

function inputOf(one: Route, { req, body }: OperationCall): unknown {
  if (one.body === undefined) return mayHaveBody(one) && body.byteLength > 0 ? parseBody(nothing, readJson(req, body)) : undefined;
  const given = one.bodyIsOptional && body.byteLength === 0 ? {} : readJson(req, body);
  return checkBody(one.body, given);
}

function readQuery(schema: z.ZodObject, filter: unknown): unknown {
  const parsed = schema.safeParse(filter, { reportInput: true });
  if (!parsed.success) throw invalidQuery(fieldErrors(parsed.error.issues));
  return parsed.data;
}

export function ok(body: unknown): HttpAnswer {
  return { status: 200, body };
}

/** Throws a `HttpProblem`: there is no such thing. */
export function found<T>(thing: T | null, what: Thing): T {
  if (thing === null) throw notFound(what);
  return thing;
}
