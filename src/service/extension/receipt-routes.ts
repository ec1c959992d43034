import type { Request } from 'express';
import type { Answer } from '../http/send.ts';
import { ofShopAndMonthQuery } from '../reading/queries.ts';
import { listReceipts, readReceipt } from '../receipts/read-receipts.ts';
import { addGet, found, mustOwn, ok, own, query, type RouteDeps } from './routes.ts';

/** /receipts */
export function addReceiptRoutes(deps: RouteDeps): void {
  const { pool } = deps;
  addGet(deps, '/receipts', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listReceipts(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  addGet(deps, '/receipts/:id', async (call) => {
    const { dto, html } = found(await readReceipt(pool, { ...own(call, 'receipt'), dialect: call.caller.dialect }), 'receipt');
    return prefersHtml(call.req) ? page(html) : ok(dto);
  });
}

function prefersHtml(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}

// The receipt has its style inline and runs no script.
const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function page(html: string): Answer {
  return { status: 200, content: html, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': RECEIPT_POLICY, vary: 'Accept' } };
}
