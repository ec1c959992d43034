import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ContentTable, storedContent } from '../audit/file/stored-content.ts';
import type { NotGenerated } from '../audit/month/generate-month.ts';
import { listMonths } from '../audit/month/list-months.ts';
import type { MarkedNothing } from '../audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-state.ts';
import { headerWords } from '../audit/month/shop-of-month.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import type { HttpAnswer } from '../http/send.ts';
import { addMonths } from '../law/calendar.ts';
import { deadlineOf } from '../law/deadlines.ts';
import { ofShopAndMonthQuery } from '../reading/listing.ts';
import { readMonthView } from '../reading/month-view.ts';
import { type AuditFileDto, findAuditFile, listAuditFiles } from '../reading/read-audit-files.ts';
import { readShop } from '../reading/read-shops.ts';
import { mustOwn } from './reading-routes.ts';
import { found, json, ok, type Route, type RouteCall, type RouteDeps, route } from './route.ts';

type Named = Pick<RouteCall<unknown, unknown>, 'req' | 'keyId' | 'id'>;

/** What is asked of a month whose file is still being made, in seconds. */
const ASK_AGAIN = '5';

const MONTH = '/service/v1/shops/{id}/months/{month}';
const SHOWN = { description: 'The month as it is now.', content: json('MonthDto') };

/** What a person says of a month: answered with the month. */
const ACT = { method: 'post', tag: 'Months', of: 'shop', answer: SHOWN } as const;

/** The months of the caller’s shops. */
export const monthRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/service/v1/shops/{id}/months',
    id: 'listMonths',
    tag: 'Months',
    summary: 'List the months of a shop, newest first',
    of: 'shop',
    answer: { description: 'All of them.', content: json('MonthPage') },
    async handle(call, { pool, audit }) {
      const { id } = found(await readShop(pool, call), 'shop');
      const items = (await listMonths(audit, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
      return ok({ items, next: null });
    },
  }),
  route({
    method: 'get',
    path: MONTH,
    id: 'readMonth',
    tag: 'Months',
    summary: 'Show a month',
    description: 'What its page shows, as fields: its situation, sums, changes since the last version, and every version of its file.',
    of: 'shop',
    answer: SHOWN,
    handle: async (call, deps) => shown(deps, await monthOf(deps, call)),
  }),
  route({
    method: 'post',
    path: `${MONTH}/generate`,
    id: 'generateMonth',
    tag: 'Months',
    summary: 'Make the next version of a month’s file',
    description: 'Earlier versions stay. The body may be left out. If it takes longer than 20 seconds the answer is 202 and it goes on: read the month again.',
    of: 'shop',
    body: 'GenerateMonthDto',
    bodyIsOptional: true,
    answer: { description: 'The version.', content: json('AuditFileDto') },
    later: {
      description: 'It is being made.',
      content: json('MonthBeingMadeDto'),
      headers: [
        { name: 'Location', description: 'The month: beingMade is false when it is done.' },
        { name: 'Retry-After', description: 'Seconds to wait.' },
      ],
    },
    problems: ['month-not-ready', 'month-empty', 'month-filed', 'month-not-ours'],
    async handle(call, deps) {
      const { keyId, said, input } = call;
      const key = await monthOf(deps, call);
      const made = await deps.months.generate({ ...key, said, now: input.now });
      if (made.kind === 'generated') return ok(found(await findAuditFile(deps.pool, { keyId, id: made.file.id }), 'audit file'));
      if (made.kind !== 'making') throw notMade(key, made);
      const headers = { location: `/service/v1/shops/${key.shopId}/months/${key.month}`, 'retry-after': ASK_AGAIN };
      return { status: 202, body: { ...key, beingMade: true }, headers };
    },
  }),
  route({
    ...ACT,
    path: `${MONTH}/filed`,
    id: 'markMonthFiled',
    summary: 'Say that a person filed a version of a month’s file',
    description:
      'It closes the month. Repeated for the same version it changes nothing but the number and the day that it names. A version that lacks the last changes, and a month with paid orders that are not recorded, are refused unless the body says otherwise.',
    body: 'MonthFiledDto',
    problems: ['month-filed', 'month-outdated', 'month-incomplete'],
    handle: (call, deps) => acted(call, deps, { act: (key) => deps.months.filed({ ...key, ...call.input }), refused: notFiled }),
  }),
  route({
    ...ACT,
    path: `${MONTH}/rejected`,
    id: 'markMonthRejected',
    summary: 'Say that the filed version is wrong',
    description:
      'The agency found errors in it, or you found a mistake of your own within the term: of several files the agency takes the last one. Then another version can be made; within its term the month is open again.',
    body: 'MonthRejectedDto',
    problems: ['month-not-filed', 'month-too-late'],
    handle: (call, deps) => acted(call, deps, { act: (key) => deps.months.rejected({ ...key, ...call.input }), refused: notRejected }),
  }),
  route({
    ...ACT,
    path: `${MONTH}/nothing-to-file`,
    id: 'markMonthNothing',
    summary: 'Say that an empty month has nothing to file',
    description:
      'After a person agreed so with the accountant. An order or a return that comes into the month opens it again. A month with returns alone is settled withReturns.',
    body: 'MonthNothingDto',
    problems: ['month-not-ready', 'month-not-empty', 'month-has-returns', 'month-not-ours'],
    handle: (call, deps) => acted(call, deps, { act: (key) => deps.months.nothingToFile({ ...key, ...call.input }), refused: notSettled }),
  }),
];

/** Throws a `HttpProblem` unless the caller has the shop and the month can be one. */
async function monthOf({ pool }: RouteDeps, { req, keyId, id }: Named): Promise<MonthKey> {
  const month = req.params['month'];
  if (typeof month !== 'string' || !/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new HttpProblem('request-invalid', 'the month must be such as 2026-10');
  found(await readShop(pool, { keyId, id }), 'shop');
  return { shopId: id, month };
}

type Acting<Refused> = { act(key: MonthKey & { said: Authorship }): Promise<{ ok: true } | Refused>; refused(key: MonthKey, why: Refused): HttpProblem };

async function acted<Refused extends { ok: false }>(
  call: Named & { said: Authorship },
  deps: RouteDeps,
  { act, refused }: Acting<Refused>,
): Promise<HttpAnswer> {
  const key = await monthOf(deps, call);
  const done = await act({ ...key, said: call.said });
  if (!done.ok) throw refused(key, done);
  return shown(deps, key);
}

async function shown({ audit, months }: RouteDeps, key: MonthKey): Promise<HttpAnswer> {
  const { summary, stored, versions } = found(await readMonthView(audit, key), 'shop');
  return ok({ ...summary, monthState: stored.state, versions: versions.toReversed(), beingMade: await months.isBeingMade(key) });
}

const READ = { method: 'get', tag: 'Reading' } as const;
const SAVED_AS = [{ name: 'Content-Disposition', description: 'A name to save it under.' }];
const CSV = 'text/csv; charset=utf-8';
const FILE = '/service/v1/audit-files/{id}';

/** The audit files of the caller’s shops, and what is kept beside each version. */
export const auditFileRoutes: readonly Route[] = [
  route({
    ...READ,
    path: '/service/v1/audit-files',
    id: 'listAuditFiles',
    summary: 'List versions of audit files, oldest first',
    query: ofShopAndMonthQuery,
    answer: { description: 'A part of the list.', content: json('AuditFilePage') },
    problems: ['not-found'],
    async handle({ keyId, query }, { pool }) {
      await mustOwn(pool, keyId, query.shopId);
      return ok(await listAuditFiles(pool, { ...query, keyId }));
    },
  }),
  route({
    ...READ,
    path: FILE,
    id: 'readAuditFile',
    summary: 'Show a version of an audit file',
    of: 'audit file',
    answer: { description: 'Its hash, size, sums and findings.', content: json('AuditFileDto') },
    handle: async (call, deps) => ok(await fileOf(deps, call)),
  }),
  route({
    ...READ,
    path: `${FILE}/content`,
    id: 'downloadAuditFile',
    summary: 'Download the XML of an audit file',
    of: 'audit file',
    answer: {
      description: 'The bytes as they were made, in windows-1251.',
      content: { 'application/xml; charset=windows-1251': null },
      headers: [...SAVED_AS, { name: 'Repr-Digest', description: 'SHA-256 of the bytes (RFC 9530).' }],
    },
    handle: async (call, deps) => content(deps.pool, await fileOf(deps, call)),
  }),
  route({
    ...READ,
    path: `${FILE}/csv`,
    id: 'downloadAuditFileCsv',
    summary: 'Download the orders of an audit file as CSV',
    description: 'A row for each article, with refunds within the month and returns: UTF-8 with a byte order mark, semicolons, decimal commas.',
    of: 'audit file',
    answer: { description: 'The bytes as they were made.', content: { [CSV]: null }, headers: SAVED_AS },
    handle: async (call, deps) => csv(deps.pool, await fileOf(deps, call), ORDERS),
  }),
  route({
    ...READ,
    path: `${FILE}/bookkeeping-csv`,
    id: 'downloadBookkeepingCsv',
    summary: 'Download the sums of an audit file by day, VAT rate and payment as CSV',
    description: 'A version that was made before it was kept has none: 404.',
    of: 'audit file',
    answer: { description: 'The bytes as they were made.', content: { [CSV]: null }, headers: SAVED_AS },
    handle: async (call, deps) => csv(deps.pool, await fileOf(deps, call), BOOKKEEPING),
  }),
];

async function fileOf({ pool }: RouteDeps, call: Named): Promise<AuditFileDto> {
  return found(await findAuditFile(pool, call), 'audit file');
}

function content(pool: Pool, { id, month, version, bytes, sha256 }: AuditFileDto): HttpAnswer {
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

function csv(pool: Pool, { id, month, version }: AuditFileDto, { table, name }: Csv): HttpAnswer {
  return {
    status: 200,
    content: storedContent(pool, table, { id, bytes: null }),
    type: CSV,
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
        `${month} has ${refused.returns} returns, which no file can include: agree with the accountant how they are accounted for, and say so in the note with withReturns: true`,
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
