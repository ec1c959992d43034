import { monthName } from '../../../contract/local-text.ts';
import type { MonthReport } from '../../../operations/months/month-report.ts';
import { type DiffedVersions, diffVersions, monthFiles, savedFile, versionOf } from '../../../operations/months/versions.ts';
import type { ArticleDifference, AuditDiff, FieldDifference, OrderDifference, ReturnDifference } from '../../../service/audit/format/diff-audit-files.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Page, PageContext, PageReply } from '../../base/page.ts';
import { copyable, money, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import type { MonthFormView } from './month-forms.ts';
import { missing, monthPath, type OfMonth, ofMonth } from './of-month.ts';

/** Every version with its hash and its files, for those who may take them. */
export function versionsView(report: MonthReport, { words, may }: MonthFormView): Html {
  const { lists: w, contents, sums: sumsOf } = words.month;
  const { versions, seen, summary, key } = report;
  if (versions.length === 0) return html`<h2>${w.versions}</h2>\n<p>${w.noVersion}</p>`;
  const { xml, csv, bookkeeping, summary: page } = w.formats;
  const files = (version: number) =>
    Object.entries({ xml, csv, bookkeeping, page }).map(
      ([kind, name]) => html`<a href="${monthPath(key)}/files/${version}.${kind}" aria-label="${w.formatOf(name, version)}">${name}</a> `,
    );
  const ofFiles: Columns<MonthReport['versions'][number]> = [{ name: w.download, cell: ({ version }) => html`${files(version)}` }];
  const columns: Columns<MonthReport['versions'][number]> = [
    {
      name: w.version,
      cell: ({ version }) => html`${version}${seen.state === 'filed' && seen.filedVersion === version ? html` ${tag(w.filed, 'ok')}` : nothing}`,
    },
    { name: w.made, cell: ({ createdAt }) => when(createdAt, words) },
    { name: contents, cell: ({ sums }) => sumsOf(sums.orders, money(`${sums.total} ${summary.currency}`, words)) },
    { name: w.size, cell: ({ bytes }) => w.bytes(bytes) },
    ...(may ? ofFiles : []),
    { name: 'SHA-256', cell: ({ sha256 }) => copyable(sha256) },
  ];
  return html`<h2>${w.versions}</h2>
${may ? html`<p class="soft">${w.formatsLead}</p>\n` : nothing}${table({ caption: w.versions, columns, rows: versions })}
${may && versions.length > 1 ? compareForm(report, words) : nothing}`;
}

function compareForm({ versions, key }: MonthReport, words: MonthFormView['words']): Html {
  const w = words.month.diff;
  const options = versions.map(({ version }) => [String(version), String(version)] as const);
  const choice = (name: 'first' | 'second', chosen: number | undefined) => field({ name, label: w[name], value: String(chosen ?? ''), options });
  const buttons = [choice('first', versions[1]?.version), choice('second', versions[0]?.version), button(w.choose, { class: 'second' })];
  return formTo(`${monthPath(key)}/differences`, { method: 'get', class: 'verbs', buttons });
}

type Kind = keyof typeof monthFiles;

/** `GET /console/months/{shop}/{month}/files/{version}.{kind}` */
export const versionFilePage: Page = {
  path: '/months/:shop/:month/files/:file',
  right: 'months.mark',
  get: (context) => ofMonth(context, (of) => sent(context, of)),
};

async function sent(context: PageContext, { service, key }: OfMonth): Promise<PageReply> {
  const [, version, kind] = /^([1-9]\d{0,5})\.([a-z]+)$/.exec(String(context.req.params['file'])) ?? [];
  const { file } = isKind(kind) ? await versionOf(service.audit, key, Number(version)) : { file: null };
  if (file === null || !isKind(kind)) return missing(context);
  return savedFile(service.audit, file, kind);
}

function isKind(kind: string | undefined): kind is Kind {
  return kind !== undefined && Object.hasOwn(monthFiles, kind);
}

const VERSION = /^[1-9]\d{0,5}$/;

/** `GET /console/months/{shop}/{month}/differences?first=1&second=2` */
export const differencesPage: Page = {
  path: '/months/:shop/:month/differences',
  right: 'months.mark',
  get: (context) => ofMonth(context, (of) => shown(context, of)),
};

async function shown(context: PageContext, { service, key, shop }: OfMonth): Promise<PageReply> {
  const { req, words } = context;
  const w = words.month.diff;
  const [first, second] = [String(req.query['first'] ?? ''), String(req.query['second'] ?? '')];
  const isNamed = VERSION.test(first) && VERSION.test(second);
  const versions = { first: Number(first), second: Number(second) };
  const found: DiffedVersions = isNamed ? await diffVersions(service.audit, key, versions) : null;
  const back = html`<p><a href="${monthPath(key)}">${w.back}</a>: ${monthName(key.month, words.lang)}, ${shop.details.name}</p>`;
  if (found === null) return { status: 404, title: w.missingTitle, place: 'months', body: html`<p>${w.missing}</p>\n${back}` };
  const body = found.kind === 'too-large' ? html`<p>${w.tooLarge}</p>` : diffView(found.diff, words);
  return { title: w.title(versions.first, versions.second), place: 'months', body: html`${back}\n${body}` };
}

/** A row of a table of differences; `what`: of which order or article. */
type Row = { what: string; difference: FieldDifference };

/** More would not be read. */
const MOST_ROWS = 200;

/** What differs between two versions: header and sums first, then orders and returns. */
function diffView({ equal, same, header, sums, orders, returns }: AuditDiff, words: Words): Html {
  const w = words.month.diff;
  const agree = html`<p>${w.same(same.orders, same.returns)}</p>`;
  if (equal) return html`<p>${w.equal}</p>\n${agree}`;
  const of = (list: readonly FieldDifference[]) => list.map((difference): Row => ({ what: '', difference }));
  const parts: { title: string; rows: Row[] }[] = [
    { title: w.header, rows: of(header) },
    { title: w.sums, rows: of(sums) },
    { title: w.orders, rows: orders.flatMap((order) => orderRows(order, words)) },
    { title: w.returns, rows: returns.flatMap((one) => returnRows(one, words)) },
  ];
  return html`${agree}
${lines(parts.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => section(title, rows, words)))}`;
}

function section(title: string, rows: readonly Row[], words: Words): Html {
  const { columns: c, more, nothing: none } = words.month.diff;
  const columns: Columns<Row> = [
    { name: c.what, cell: ({ what }) => what },
    { name: c.field, cell: ({ difference }) => html`<code>${difference.field}</code>` },
    { name: c.first, cell: ({ difference }) => difference.first ?? none },
    { name: c.second, cell: ({ difference }) => difference.second ?? none },
  ];
  const rest = rows.length - MOST_ROWS;
  return html`<h2>${title}</h2>
${table({ caption: title, columns, rows: rows.slice(0, MOST_ROWS) })}${rest > 0 ? html`<p>${more(rest)}</p>` : nothing}`;
}

function orderRows({ only, number, documentNumber, total, fields, articles }: OrderDifference, words: Words): Row[] {
  const { order, nothing: none } = words.month.diff;
  const what = order(number ?? none, documentNumber ?? none);
  if (only !== null) return [onlyRow(what, total, only)];
  return [...fields.map((difference) => ({ what, difference })), ...articles.flatMap((article) => articleRows(what, article, words))];
}

function articleRows(order: string, { only, name, fields }: ArticleDifference, words: Words): Row[] {
  const { article, nothing: none } = words.month.diff;
  const what = `${order}, ${article(name ?? none)}`;
  return only === null ? fields.map((difference) => ({ what, difference })) : [onlyRow(what, name, only)];
}

function returnRows({ only, number, amount, returnedOn, fields }: ReturnDifference, { month: { diff: w } }: Words): Row[] {
  const what = `${number ?? w.nothing}, ${returnedOn ?? w.nothing}`;
  return only === null ? fields.map((difference) => ({ what, difference })) : [onlyRow(what, amount, only)];
}

/** It is in one of the files alone. */
function onlyRow(what: string, value: string | null, only: 'first' | 'second'): Row {
  return { what, difference: { field: '', first: only === 'first' ? value : null, second: only === 'second' ? value : null } };
}
