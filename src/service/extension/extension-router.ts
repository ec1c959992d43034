import express, { type Request, type RequestHandler, type Router } from 'express';
import type { z } from 'zod';
import { fieldErrors } from '../contract/schema-errors.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { storedContent } from './audit/file/stored-content.ts';
import { invalidQuery, notFound } from './http/http-problem.ts';
import { type Call, operations, refuse } from './http/operation.ts';
import { readId } from './http/read-request.ts';
import { readablePath } from './http/readable-path.ts';
import type { Rehearsal } from './http/rehearsal.ts';
import type { Answer } from './http/send.ts';
import type { CallerLookup } from './keys/api-keys.ts';
import { outstandingHandle } from './outstanding-handle.ts';
import { ofShopAndMonthQuery, ordersQuery, shopsQuery } from './reading/queries.ts';
import { type AuditFileDto, findAuditFile, listAuditFiles } from './reading/read-audit-files.ts';
import { listOrders, readOrder } from './reading/read-orders.ts';
import { listShops, readShop } from './reading/read-shops.ts';
import { listReceipts, readReceipt } from './receipts/read-receipts.ts';
import type { ServiceLog } from './service-log.ts';

type Deps = { pool: Pool; keys: CallerLookup; rehearsal: Rehearsal; log: ServiceLog; now: () => Date };

/**
 * Our extension of the interface: reading and listing, and reporting what is outstanding. Mount it at /service/v1 before any middleware that reads bodies.
 */
export function readingRouter({ pool, now, ...rest }: Deps): Router {
  const operation = operations(rest);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(readablePath);
  const get = (path: string, handle: (call: Call) => Promise<Answer>) => addGet(router, path, operation('read', handle));

  get('/shops', async ({ req, caller }) => ok(await listShops(pool, { ...query(shopsQuery, req.query), keyId: caller.keyId })));
  get('/shops/:id', async (call) => ok(found(await readShop(pool, own(call, 'shop')), 'shop')));
  router
    .route('/shops/:id/outstanding')
    .put(operation('read', outstandingHandle({ pool, now })))
    .all(refuse(['PUT']));

  get('/orders', async ({ req, caller }) => {
    const filter = query(ordersQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listOrders(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  get('/orders/:id', async (call) => ok(found(await readOrder(pool, { ...own(call, 'order'), dialect: call.caller.dialect }), 'order')));

  get('/receipts', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listReceipts(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  get('/receipts/:id', async (call) => {
    const { dto, html } = found(await readReceipt(pool, { ...own(call, 'receipt'), dialect: call.caller.dialect }), 'receipt');
    return prefersHtml(call.req) ? page(html) : ok(dto);
  });

  get('/audit-files', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listAuditFiles(pool, { ...filter, keyId: caller.keyId }));
  });
  get('/audit-files/:id', async (call) => ok(found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));
  get('/audit-files/:id/content', async (call) => content(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));

  router.use(refuse([]));
  return router;
}

function addGet(router: Router, path: string, handler: RequestHandler): void {
  router
    .route(path)
    .get(handler)
    .all(refuse(['GET', 'HEAD']));
}

type Thing = Parameters<typeof notFound>[0];

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function found<T>(thing: T | null, what: Thing): T {
  if (thing === null) throw notFound(what);
  return thing;
}

function own({ req, caller }: Call, what: Thing): { keyId: string; id: string } {
  return { keyId: caller.keyId, id: found(readId(req) ?? null, what) };
}

function prefersHtml(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}

// The receipt has its style inline and runs no script.
const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function page(html: string): Answer {
  return { status: 200, content: html, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': RECEIPT_POLICY, vary: 'Accept' } };
}

function query<T extends z.ZodType>(schema: T, filter: unknown): z.output<T> {
  const parsed = schema.safeParse(filter, { reportInput: true });
  if (!parsed.success) throw invalidQuery(fieldErrors(parsed.error.issues));
  return parsed.data;
}

// An empty list would hide that the id is mistyped.
async function mustOwn(pool: Pool, keyId: string, shopId: string | undefined): Promise<void> {
  if (shopId !== undefined) found(await readShop(pool, { keyId, id: shopId }), 'shop');
}

function content(pool: Pool, { id, month, version, bytes, sha256 }: AuditFileDto): Answer {
  return {
    status: 200,
    content: storedContent(pool, 'audit_file_chunks', { id, bytes }),
    type: 'application/xml; charset=windows-1251',
    bytes,
    headers: {
      'content-disposition': `attachment; filename="audit-${month}-${version}.xml"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
  };
}
