import { type DiffedVersions, diffVersions } from '../../../operations/months/diff-versions.ts';
import { html } from '../../../web/html.ts';
import type { Page, PageContext, Reply } from '../../base/page.ts';
import { monthName } from '../../frame/parts.ts';
import { diffView } from './diff-view.ts';
import { monthPath, type OfMonth, ofMonth } from './of-month.ts';

const VERSION = /^[1-9]\d{0,5}$/;

/** `GET /console/months/{shop}/{month}/differences?first=1&second=2` */
export const differencesPage: Page = {
  path: '/months/:shop/:month/differences',
  right: 'months.mark',
  get: (context) => ofMonth(context, (of) => shown(context, of)),
};

async function shown(context: PageContext, { service, key, shop }: OfMonth): Promise<Reply> {
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
