import { monthFiledDto, monthGenerateDto, monthNothingDto, monthRejectedDto } from '../../contract/month-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { type ContentTable, storedContent } from '../audit/file/stored-content.ts';
import type { AuditDeps, NotGenerated } from '../audit/month/generate-month.ts';
import { listMonths } from '../audit/month/list-months.ts';
import type { MarkedNothing } from '../audit/month/mark-month.ts';
import type { MonthActs, NotFiled, NotRejected } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-state.ts';
import { headerWords } from '../audit/month/shop-of-month.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import { type Call, type Handle, refuse } from '../http/operation.ts';
import { parseBody, readJson } from '../http/read-request.ts';
import type { Answer } from '../http/send.ts';
import { addMonths } from '../law/calendar.ts';
import { deadlineOf } from '../law/deadlines.ts';
import { ofShopAndMonthQuery } from '../reading/listing.ts';
import { type AuditFileDto, findAuditFile, listAuditFiles, readMonth } from '../reading/read-audit-files.ts';
import { readShop } from '../reading/read-shops.ts';
import { addGet, found, mustOwn, ok, own, query, type RouteDeps, saidOf } from './routes.ts';

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

/** /audit-files */
export function addAuditFileRoutes(deps: RouteDeps): void {
  const { pool } = deps;
  addGet(deps, '/audit-files', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listAuditFiles(pool, { ...filter, keyId: caller.keyId }));
  });
  addGet(deps, '/audit-files/:id', async (call) => ok(found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));
  addGet(deps, '/audit-files/:id/content', async (call) => content(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));
  addGet(deps, '/audit-files/:id/csv', async (call) => csv(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file'), ORDERS));
  addGet(deps, '/audit-files/:id/bookkeeping-csv', async (call) =>
    csv(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file'), BOOKKEEPING),
  );
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

type Csv = { table: ContentTable; name: string };
const ORDERS: Csv = { table: 'audit_csv_chunks', name: 'audit' };
const BOOKKEEPING: Csv = { table: 'audit_bookkeeping_chunks', name: 'bookkeeping' };

function csv(pool: Pool, { id, month, version }: AuditFileDto, { table, name }: Csv): Answer {
  return {
    status: 200,
    content: storedContent(pool, table, { id, bytes: null }),
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name}-${month}-${version}.csv"` },
  };
}

/** Why no version was made, and what to do. */
function notMade({ month }: MonthKey, made: NotGenerated): HttpProblem {
  switch (made.kind) {
    case 'blocked':
      return new HttpProblem(
        'month-not-ready',
        `errors or missing exchange rates prevent the file of ${month}: read the month, do what its situation says, and ask again`,
      );
    case 'empty':
      return new HttpProblem('month-empty', `${month} has no order for a file; once the accountant agrees that there is nothing to file, say nothing-to-file`);
    case 'waiting':
      return new HttpProblem(
        'month-not-ready',
        `an order of ${month} was just deleted and its replacement may be on its way: ask again after ${made.until}, or with now: true`,
      );
    case 'not-ended':
      return new HttpProblem('month-not-ready', `${month} is not over; its file can be made from ${addMonths(month, 1)}-01 on`);
    case 'filed':
      return new HttpProblem('month-filed', `the file of ${month} is marked as filed; if the agency or you found errors in it, say rejected and ask again`);
    case 'test-shop':
      return new HttpProblem('month-empty', `a test shop has no files: its orders are no real sales, and nothing of ${month} is to be filed`);
    case 'not-ours':
      return notOurs(month, made.since);
    case 'no-shop':
      return notFound('shop');
  }
}

function notOurs(month: string, since: string): HttpProblem {
  return new HttpProblem('month-not-ours', `the shop is here since ${since}: a file of ${month} is made and filed with the software that it had then`);
}

/** Why the month can't be marked as filed, and what to do. */
function notFiled({ month }: MonthKey, refused: NotFiled): HttpProblem {
  switch (refused.why) {
    case 'no-file':
      return new HttpProblem(
        'not-found',
        `${month} has no such version of its file; ${refused.last === null ? 'none was made' : `the last one is ${refused.last}`}`,
      );
    case 'already':
      return new HttpProblem('month-filed', `version ${refused.filedVersion} of the file of ${month} is marked as filed; if that is wrong, say rejected first`);
    case 'outdated':
      return new HttpProblem(
        'month-outdated',
        `version ${refused.version} lacks changes of the month: ${refused.changes}${headerWords(refused.header)}. Generate another and file that; only if the agency has this one and it must stay, say asIs: true`,
      );
    case 'outstanding':
      return new HttpProblem(
        'month-incomplete',
        `paid orders of ${month} are not recorded (${refused.outstanding.orders}): record them, generate another version and file that; if it was filed without them, say withoutOutstanding: true`,
      );
    case 'wrong-day':
      return invalidBody([{ path: 'filedOn', message: `must be from ${refused.first}, when the version was made, to ${refused.last}, today` }]);
  }
}

/** Why the month can't be marked as rejected. */
function notRejected({ month }: MonthKey, refused: NotRejected): HttpProblem {
  if (refused.why === 'too-late')
    return new HttpProblem(
      'month-too-late',
      `orders of ${month} that were deleted since are no longer kept: correct the filed file by hand, with the accountant`,
    );
  return new HttpProblem('month-not-filed', `the file of ${month} is not marked as filed (the month is ${refused.state}), so it can’t be rejected`);
}

/** Why the month can't be settled as empty, and what to do. */
function notSettled({ month }: MonthKey, refused: Extract<MarkedNothing, { ok: false }>): HttpProblem {
  switch (refused.why) {
    case 'not-ours':
      return notOurs(month, refused.since);
    case 'has-returns':
      return new HttpProblem(
        'month-has-returns',
        `${month} has ${refused.returns} returns, which no file can tell: agree with the accountant how they are accounted for, and say so in the note with withReturns: true`,
      );
    case 'not-ended':
      return new HttpProblem('month-not-ready', `${month} is not over: an order may still come into it`);
    case 'has-file':
      return new HttpProblem('month-not-empty', `a file of ${month} was made: file it, and say filed`);
    case 'has-orders':
      return new HttpProblem('month-not-empty', `${month} has orders: generate its file, and file it`);
    case 'no-shop':
      return notFound('shop');
  }
}
