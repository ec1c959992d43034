import type { Request } from 'express';
import { z } from 'zod';
import { type Call, refuse } from '../http/operation.ts';
import { parseBody } from '../http/read-request.ts';
import type { Answer } from '../http/send.ts';
import { ofShopAndMonthQuery } from '../reading/listing.ts';
import { listReceipts, type ReceiptDto, readReceipt } from '../receipts/read-receipts.ts';
import { resendReceipt } from '../receipts/resend-receipt.ts';
import { addGet, bodyOf, found, mustOwn, ok, own, query, type RouteDeps, saidOf } from './routes.ts';

const nothing = z.strictObject({});

/** /receipts */
export function addReceiptRoutes(deps: RouteDeps): void {
  const { router, operation, pool } = deps;
  addGet(deps, '/receipts', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listReceipts(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  addGet(deps, '/receipts/:id', async (call) => {
    const { dto, html } = found(await readReceipt(pool, { ...own(call, 'receipt'), dialect: call.caller.dialect }), 'receipt');
    return prefersHtml(call.req) ? page(html) : ok(dto);
  });
  router
    .route('/receipts/:id/resend')
    .post(operation('read', async (call) => ok(await resend(deps, call))))
    .all(refuse(['POST']));
}

function resend({ pool, now }: RouteDeps, call: Call): Promise<ReceiptDto> {
  if (call.body.byteLength > 0) parseBody(nothing, bodyOf(call));
  const { keyId, id } = own(call, 'receipt');
  return resendReceipt(pool, { caller: { keyId, dialect: call.caller.dialect }, id, now: now(), ...saidOf(call) });
}

function prefersHtml(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}

// The receipt has its style inline and runs no script.
const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function page(html: string): Answer {
  return { status: 200, content: html, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': RECEIPT_POLICY, vary: 'Accept' } };
}
