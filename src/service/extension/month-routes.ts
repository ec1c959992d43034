import { monthFiledDto, monthGenerateDto, monthNothingDto, monthRejectedDto } from '../../contract/month-dto.ts';
import type { Said } from '../../platform/trail/trail.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import { listMonths } from '../audit/month/list-months.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { type Call, type Handle, refuse } from '../http/operation.ts';
import { parseBody } from '../http/parse-body.ts';
import { readJson } from '../http/read-request.ts';
import type { Answer } from '../http/send.ts';
import { deadlineOf } from '../law/deadlines.ts';
import { findAuditFile } from '../reading/read-audit-files.ts';
import { readMonth } from '../reading/read-month.ts';
import { readShop } from '../reading/read-shops.ts';
import { notFiled, notMade, notRejected, notSettled } from './month-problems.ts';
import { addGet, found, ok, own, type RouteDeps, saidOf } from './routes.ts';

type MonthDeps = { audit: AuditDeps; months: MonthActs };
type OfMonth = MonthKey & { keyId: string; said: Said };

/** What is asked of a month whose file is still being made, in seconds. */
const ASK_AGAIN = '5';

/** /shops/:id/months */
export function addMonthRoutes(deps: RouteDeps, { audit, months }: MonthDeps): void {
  const { pool } = deps;
  addGet(deps, '/shops/:id/months', async (call) => {
    const { id } = found(await readShop(pool, own(call, 'shop')), 'shop');
    const items = (await listMonths(audit, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
    return ok({ items, next: null });
  });
  const shown = async (of: MonthKey) => ok({ ...found(await readMonth(audit, of), 'shop'), beingMade: await months.isBeingMade(of) });
  addGet(deps, '/shops/:id/months/:month', async (call) => shown(await monthOf(deps, call)));
  const act = (name: string, work: (of: OfMonth, call: Call) => Promise<Answer>) => addPost(deps, name, async (call) => work(await monthOf(deps, call), call));
  act('generate', (of, call) => generate(deps, months, { of, call }));
  act('filed', async (of, { req, body }) => {
    const filed = await months.filed({ ...of, ...parseBody(monthFiledDto, readJson(req, body)) });
    if (!filed.ok) throw notFiled(of, filed);
    return shown(of);
  });
  act('rejected', async (of, { req, body }) => {
    const rejected = await months.rejected({ ...of, ...parseBody(monthRejectedDto, readJson(req, body)) });
    if (!rejected.ok) throw notRejected(of, rejected);
    return shown(of);
  });
  act('nothing-to-file', async (of, { req, body }) => {
    const settled = await months.nothingToFile({ ...of, ...parseBody(monthNothingDto, readJson(req, body)) });
    if (!settled.ok) throw notSettled(of, settled);
    return shown(of);
  });
}

function addPost({ router, operation }: RouteDeps, name: string, handle: Handle): void {
  router
    .route(`/shops/:id/months/:month/${name}`)
    .post(operation('read', handle))
    .all(refuse(['POST']));
}

/** Throws a `HttpProblem` unless the caller has the shop and the month can be one. */
async function monthOf({ pool }: RouteDeps, call: Call): Promise<OfMonth> {
  const { keyId, id } = own(call, 'shop');
  const month = call.req.params['month'];
  if (typeof month !== 'string' || !/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new HttpProblem('request-invalid', 'the month must be such as 2026-10');
  found(await readShop(pool, { keyId, id }), 'shop');
  return { shopId: id, month, keyId, ...saidOf(call) };
}

async function generate({ pool }: RouteDeps, { generate: make }: MonthActs, { of, call }: { of: OfMonth; call: Call }): Promise<Answer> {
  const { req, body } = call;
  const { now } = parseBody(monthGenerateDto, body.byteLength === 0 ? {} : readJson(req, body));
  const { shopId, month, keyId, said } = of;
  const made = await make({ shopId, month, now, said });
  if (made.kind === 'generated') return ok(found(await findAuditFile(pool, { keyId, id: made.file.id }), 'audit file'));
  if (made.kind !== 'making') throw notMade(of, made);
  const headers = { location: `/service/v1/shops/${shopId}/months/${month}`, 'retry-after': ASK_AGAIN };
  return { status: 202, body: { shopId, month, beingMade: true }, headers };
}
