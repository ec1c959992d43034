import type { RequestHandler, Router } from 'express';
import type { z } from 'zod';
import { fieldErrors } from '../../contract/schema-errors.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Said } from '../../platform/trail/trail.ts';
import type { Operation } from '../fault-injection.ts';
import { invalidQuery, notFound } from '../http/http-problem.ts';
import { type Call, type Handle, refuse } from '../http/operation.ts';
import { readId, readJson } from '../http/read-request.ts';
import type { Answer } from '../http/send.ts';
import { readShop } from '../reading/read-shops.ts';

/** What the routes of a resource are made with. */
export type RouteDeps = { router: Router; operation: (kind: Operation, handle: Handle) => RequestHandler; pool: Pool; now: () => Date };

type Thing = Parameters<typeof notFound>[0];

/** Adds an address that is read. */
export function addGet({ router, operation }: Pick<RouteDeps, 'router' | 'operation'>, path: string, handle: Handle): void {
  router
    .route(path)
    .get(operation('read', handle))
    .all(refuse(['GET', 'HEAD']));
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** Throws a `HttpProblem`: there is no such thing. */
export function found<T>(thing: T | null, what: Thing): T {
  if (thing === null) throw notFound(what);
  return thing;
}

/** The id in the address, and whose it must be. */
export function own({ req, caller }: Call, what: Thing): { keyId: string; id: string } {
  return { keyId: caller.keyId, id: found(readId(req) ?? null, what) };
}

/** Who changes something over HTTP, for the trail. */
export function saidOf({ caller }: Call): { said: Said } {
  return { said: { by: `key:${caller.usedKeyId}` } };
}

/** The JSON of the body. Throws a `HttpProblem`. */
export function bodyOf({ req, body }: Call): unknown {
  return readJson(req, body);
}

/** Throws a `HttpProblem`: a query that can't be read. */
export function query<T extends z.ZodType>(schema: T, filter: unknown): z.output<T> {
  const parsed = schema.safeParse(filter, { reportInput: true });
  if (!parsed.success) throw invalidQuery(fieldErrors(parsed.error.issues));
  return parsed.data;
}

/** Throws a `HttpProblem` unless the caller has this shop: an empty list would hide that its id is mistyped. */
export async function mustOwn(pool: Pool, keyId: string, shopId: string | undefined): Promise<void> {
  if (shopId !== undefined) found(await readShop(pool, { keyId, id: shopId }), 'shop');
}
