import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { notFound } from '../http/http-problem.ts';
import type { Handle } from '../http/operation.ts';
import { parseBody } from '../http/parse-body.ts';
import { readId, readJson } from '../http/read-request.ts';
import { issueReceipt } from './issue-receipt.ts';

const nothing = z.strictObject({});

/** POST /public-api/v1/order/{id}/receipt: without a body, or with an empty object. */
export function receiptHandle({ pool, now }: { pool: Pool; now: () => Date }): Handle {
  return async ({ req, caller, body }) => {
    if (body.byteLength > 0) parseBody(nothing, readJson(req, body));
    const orderId = readId(req);
    if (orderId === undefined) throw notFound('order');
    return { status: 200, body: await issueReceipt(pool, { caller, orderId, now: now() }) };
  };
}
