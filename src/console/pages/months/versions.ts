import type { MonthReport } from '../../../operations/months/month-report.ts';
import { type MonthFormat, versionContent, versionFileName, versionOf } from '../../../operations/months/versions.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Page, PageContext, Reply } from '../../base/page.ts';
import { money, table, tag, when } from '../../frame/parts.ts';
import type { Shown } from './month-forms.ts';
import { missing, monthPath, type OfMonth, ofMonth } from './of-month.ts';

/** Every version with its hash and its files, for those who may take them. */
export function versionsView(report: MonthReport, { words, may }: Shown): Html {
  const w = words.month.versions;
  const { versions, seen, summary, key } = report;
  if (versions.length === 0) return html`<h2>${w.title}</h2>\n<p>${w.none}</p>`;
  const kinds = { xml: w.xml, csv: w.csv, bookkeeping: w.bookkeeping, page: w.page };
  const files = (version: number) =>
    Object.entries(kinds).map(([kind, name]) => html`<a href="${monthPath(key)}/files/${version}.${kind}" aria-label="${w.of(name, version)}">${name}</a> `);
  const row = ({ version, createdAt, sums, bytes, sha256 }: MonthReport['versions'][number]): Html[] => [
    html`${version}${seen.state === 'filed' && seen.filedVersion === version ? html` ${tag(w.filed, 'ok')}` : nothing}`,
    when(createdAt, words),
    html`${w.sums(sums.orders, money(`${sums.total} ${summary.currency}`, words))}`,
    html`${w.bytes(bytes)}`,
    ...(may ? [html`${files(version)}`] : []),
    html`<code>${sha256}</code>`,
  ];
  const c = w.columns;
  const columns = [{ name: c.version }, { name: c.made }, { name: c.sums }, { name: c.size }, ...(may ? [{ name: c.files }] : []), { name: c.hash }];
  return html`<h2>${w.title}</h2>
${may ? html`<p class="soft">${w.lead}</p>\n` : nothing}${table({ caption: w.title, columns, rows: versions.map(row) })}
${may && versions.length > 1 ? compareForm(report, words) : nothing}`;
}

function compareForm({ versions, key }: MonthReport, words: Shown['words']): Html {
  const w = words.month.diff;
  const choice = (name: string, chosen: number | undefined) =>
    html`<select id="${name}" name="${name}">${lines(
      versions.map(({ version }) => html`<option${attributes({ value: version, selected: version === chosen })}>${version}</option>`),
    )}</select>`;
  return html`<form class="verbs" method="get" action="${monthPath(key)}/differences">
<div><label for="first">${w.first}</label> ${choice('first', versions[1]?.version)}</div>
<div><label for="second">${w.second}</label> ${choice('second', versions[0]?.version)}</div>
<button class="second">${w.choose}</button>
</form>`;
}

type Kind = Exclude<MonthFormat, 'html'>;

const types: Readonly<Record<Kind, { type: string; end: string }>> = {
  xml: { type: 'application/xml; charset=windows-1251', end: '.xml' },
  csv: { type: 'text/csv; charset=utf-8', end: '.csv' },
  bookkeeping: { type: 'text/csv; charset=utf-8', end: '_bookkeeping.csv' },
  page: { type: 'text/html; charset=utf-8', end: '.html' },
};

/** `GET /console/months/{shop}/{month}/files/{version}.{kind}` */
export const versionFilePage: Page = {
  path: '/months/:shop/:month/files/:file',
  right: 'months.mark',
  get: (context) => ofMonth(context, (of) => sent(context, of)),
};

async function sent(context: PageContext, { service, key }: OfMonth): Promise<Reply> {
  const [, version, kind] = /^([1-9]\d{0,5})\.([a-z]+)$/.exec(String(context.req.params['file'])) ?? [];
  const { file } = isKind(kind) ? await versionOf(service.audit, key, Number(version)) : { file: null };
  if (file === null || !isKind(kind)) return missing(context);
  const name = versionFileName(file, types[kind].end);
  return { content: await versionContent(service.audit, file, kind), type: types[kind].type, name };
}

function isKind(kind: string | undefined): kind is Kind {
  return kind !== undefined && Object.hasOwn(types, kind);
}
