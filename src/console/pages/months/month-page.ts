import { may } from '../../../operations/people/rights.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { monthName } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { differencesPage } from './differences-page.ts';
import { monthActs } from './month-acts.ts';
import { monthView } from './month-view.ts';
import { missing, monthPath, type OfMonth, ofMonth, reportOf } from './of-month.ts';
import { nowWords } from './stale-words.ts';
import type { MonthAct, Problem, Tried } from './tried.ts';
import { versionFilePage } from './version-files.ts';

/** `/console/months/{shop}/{yyyy-mm}`, its forms, its files, and what differs between them. */
export const monthPages: readonly Page[] = [
  { path: '/months/:shop/:month', right: 'months.see', get: (context) => ofMonth(context, (of) => shown(context, of, null)) },
  versionFilePage,
  differencesPage,
  ...(['make', 'checked', 'mail', 'filed', 'number', 'accepted', 'rejected', 'nothing'] as const).map(actPage),
];

function actPage(name: MonthAct): Page {
  return {
    path: `/months/:shop/:month/${name}`,
    right: 'months.see',
    post: { right: 'months.mark', act: (context, form) => ofMonth(context, (of) => acted(context, of, { name, form })) },
  };
}

async function shown(context: PageContext, of: OfMonth, tried: { status: number; tried: Tried } | null): Promise<Reply> {
  const report = await reportOf(context, of);
  if (report === null) return missing(context);
  const { words, person, req } = context;
  const mayMark = may(person.role, 'months.mark');
  const body = monthView(report, { words, may: mayMark, tried: tried?.tried ?? null, wasMaking: req.query['making'] !== undefined });
  const title = `${monthName(of.key.month, words.lang)} – ${of.shop.details.name}`;
  return { ...(tried === null ? {} : { status: tried.status }), title, place: 'months', body };
}

async function acted(context: PageContext, of: OfMonth, { name, form }: { name: MonthAct; form: Form }): Promise<Reply> {
  const report = await reportOf(context, of);
  if (report === null) return missing(context);
  const { seen } = report;
  const { says, act } = monthActs[name];
  mustBeSeen(form, seen, { sent: says(form, context), now: nowWords(seen, context.words) });
  const outcome = await act({ of, form, context, seen });
  if (outcome === null) return { goTo: monthPath(of.key), done: `month-${name}` };
  if (outcome === 'making') return { goTo: `${monthPath(of.key)}?making=1` };
  return shown(context, of, { status: outcome.isInvalid ? 422 : 409, tried: triedWith(name, form, outcome) });
}

const FIELDS = ['version', 'incomingNumber', 'filedOn', 'withoutOutstanding', 'asIs', 'now', 'words', 'note'];

function triedWith(act: MonthAct, form: Form, { problem, field, box }: Problem): Tried {
  return { act, values: Object.fromEntries(FIELDS.map((name) => [name, form.text(name)])), problem, field: field ?? null, box: box ?? null };
}
