import { versionOf } from '../../../operations/months/show-month.ts';
import { type MonthFormat, versionContent, versionFileName } from '../../../operations/months/version-content.ts';
import type { Page, PageContext, Reply } from '../../base/page.ts';
import { missing, type OfMonth, ofMonth } from './of-month.ts';

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
