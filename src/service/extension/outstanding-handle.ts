import { outstandingDto } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { keepOutstanding } from '../audit/month/outstanding.ts';
import { invalidBody, notFound } from '../http/http-problem.ts';
import type { Handle } from '../http/operation.ts';
import { parseBody } from '../http/parse-body.ts';
import { readId, readJson } from '../http/read-request.ts';

/** A clock that is further ahead would have its list kept for longer than it is true. */
const MOST_AHEAD_MS = 10 * 60_000;

/** Keeps the paid orders of a shop that are not recorded; answers with the newest list. */
export function outstandingHandle({ pool, now }: { pool: Pool; now: () => Date }): Handle {
  return async ({ req, caller, body }) => {
    const list = parseBody(outstandingDto, readJson(req, body));
    if (Date.parse(list.at) > now().getTime() + MOST_AHEAD_MS)
      throw invalidBody([{ path: 'at', message: 'must not be in the future; check the clock of the sender' }]);
    const shopId = readId(req);
    const kept = shopId === undefined ? null : await keepOutstanding(pool, { keyId: caller.keyId, shopId, list });
    if (kept === null) throw notFound('shop');
    return { status: 200, body: kept };
  };
}
