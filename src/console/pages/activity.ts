import { sortableText } from '../../contract/local-text.ts';
import {
  type Activity,
  type ActivityMark,
  type ChangedField,
  changedFields,
  listActivity,
  markAfter,
  namedSubject,
  namesInActs,
} from '../../operations/activity/list-activity.ts';
import { actFor } from '../../operations/order-detail/quoted-words.ts';
import { stateNamed } from '../../operations/words.ts';
import { csvRow, textCell } from '../../platform/csv-cell.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, paging, table } from '../../web/tables.ts';
import type { Page, PageContext } from '../base/page.ts';
import { problemText, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';

const PER_PAGE = 50;
const MOST_OF_CSV = 10_000;
const CSV_PAGE = 250;
const NO_MARK: ActivityMark = { bridge: null, compliance: null };

type Filter = { who?: string; act?: string };
type Names = ReadonlyMap<string, string>;

/** `GET /console/activity?who=&act=&after=`: the trail, the newest first. */
export const activityPage: Page = {
  path: '/activity',
  right: 'activity.see',
  async get(context) {
    const { deps, words, person } = context;
    const filter = filterOf(context);
    const before = markOf(query(context, 'after'));
    const [acts, names] = await Promise.all([listActivity(deps, { ...filter, before, limit: PER_PAGE + 1 }), namesInActs(deps)]);
    const shown = acts.slice(0, PER_PAGE).map((act) => actFor(person, act));
    const next = acts.length > PER_PAGE ? markAfter(shown, before) : null;
    return { title: words.activity.title, place: 'activity', body: body({ shown, filter, names, next, isFirst: before === NO_MARK }, words) };
  },
};

/** `GET /console/activity.csv?who=&act=`: as many as a person can look through. */
export const activityCsv: Page = {
  path: '/activity.csv',
  right: 'activity.see',
  async get(context) {
    return {
      content: csvParts(context, await namesInActs(context.deps)),
      type: 'text/csv; charset=utf-8',
      name: `${context.words.activity.fileName}-${sofiaDay(context.deps.now().toISOString())}.csv`,
    };
  },
};

/** In pages: anyone who looks at something else meanwhile waits for one of them at most. */
async function* csvParts({ deps, words, person, ...context }: PageContext, names: Names): AsyncGenerator<Buffer> {
  const { columns: w } = words.activity;
  const filter = filterOf(context);
  yield Buffer.from(`\ufeff${csvRow([w.at, w.who, w.what, w.about, w.change, w.why].map(textCell), words.lang)}`);
  for (let [left, before] = [MOST_OF_CSV, NO_MARK]; left > 0; left -= CSV_PAGE) {
    const acts = await listActivity(deps, { ...filter, before, limit: CSV_PAGE });
    const rows = acts.map((act) =>
      csvRow(
        [sortableText(act.at), who(act, names, words), act.act, about(act, names, words), change(actFor(person, act)), act.why ?? ''].map(textCell),
        words.lang,
      ),
    );
    yield Buffer.from(rows.join(''));
    if (acts.length < CSV_PAGE) return;
    before = markAfter(acts, before);
  }
}

type View = { shown: readonly Activity[]; filter: Filter; names: Names; next: ActivityMark | null; isFirst: boolean };

function body({ shown, filter, names, next, isFirst }: View, words: Words): Html {
  const { activity: w } = words;
  const isFiltered = filter.who !== undefined || filter.act !== undefined;
  if (shown.length === 0) return html`<p>${isFiltered ? w.noneSuch : w.none}</p>`;
  const chip = isFiltered ? html`<ul class="chips"><li><a href="/console/activity">${w.filter.all}</a></li></ul>\n` : nothing;
  return html`<p class="soft">${w.lead}</p>
${chip}${table({ caption: w.caption, columns: columnsIn(names, words), rows: shown })}
<p class="verbs">${paging({ first: isFirst ? null : addressOf(filter, null), next: next === null ? null : addressOf(filter, next) }, words.frame.paging)}<a href="${addressOf(filter, null, '.csv')}">${w.csv}</a></p>`;
}

function columnsIn(names: Names, words: Words): Columns<Activity> {
  const { columns: w } = words.activity;
  return [
    { name: w.at, cell: ({ at }) => when(at, words) },
    { name: w.who, cell: (act) => html`<a href="${addressOf({ who: act.who }, null)}">${who(act, names, words)}</a>` },
    { name: w.what, cell: ({ act, bg, means }) => html`<a href="${addressOf({ act }, null)}">${words.lang === 'bg' ? bg : means}</a>` },
    { name: w.about, cell: (act) => about(act, names, words) },
    { name: w.change, cell: (act) => changes(act, words) },
    { name: w.why, cell: ({ why }) => why ?? '' },
  ];
}

/** A value that only programs write so, such as a setting or an address. */
function marked(value: string, { lang }: Words): Html {
  return lang === 'bg' && /^[\x21-\x7e]*[A-Za-z][\x21-\x7e]*$/.test(value) ? html`<code>${value}</code>` : html`${value}`;
}

function changes(act: Activity, words: Words): Html {
  const { lang } = words;
  const fields = changedFields(act).map((one) => ({
    ...one,
    was: valueWords(act.before, one, lang),
    is: valueWords(act.after, { ...one, was: one.is }, lang),
  }));
  if (fields.length === 0) return nothing;
  const lines = fields.map(
    ({ field, was, is }) =>
      html`<li>${field === '' ? nothing : html`<code>${field}</code> `}${was === null ? nothing : html`<del>${marked(was, words)}</del> `}${is === null ? nothing : html`<ins>${marked(is, words)}</ins>`}</li>`,
  );
  return html`<ul class="changes">${lines}</ul>`;
}

/** States, and why an order waits, which the trail keeps in English. */
function valueWords(of: unknown, { field, was: value }: Pick<ChangedField, 'field' | 'was'>, lang: Words['lang']): string | null {
  if (value === null || lang === 'en') return value;
  if (field === 'state') return stateNamed(value, lang);
  const code = of !== null && typeof of === 'object' && 'code' in of && typeof of.code === 'string' ? of.code : null;
  return field === 'detail' && code !== null ? problemText({ code, detail: value }, lang) : value;
}

function change(act: Activity): string {
  return changedFields(act)
    .map(({ field, was, is }) => `${field}: ${[was, is ?? '–'].filter((one) => one !== null).join(' → ')}`)
    .join('; ');
}

function who({ who: actor }: Activity, names: Names, { activity }: Words): string {
  return actor === PROGRAM ? activity.program : (names.get(actor) ?? actor);
}

/** Sessions and roles are about people. */
function about({ order, store, connectionId, subject }: Activity, names: Names, { activity }: Words): string {
  const named = order === null ? null : activity.order(order.number ?? order.orderId);
  return [named, store ?? connectionId, subject === null ? null : namedSubject(subject, names)].filter((word) => word !== null).join(', ');
}

function filterOf(context: Pick<PageContext, 'req'>): Filter {
  const [by, act] = [query(context, 'who'), query(context, 'act')];
  return { ...(by === '' ? {} : { who: by }), ...(act === '' ? {} : { act }) };
}

function query({ req }: Pick<PageContext, 'req'>, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value : '';
}

/** "12.7": below act 12 of the bridge and act 7 of the service; anything else is the beginning. */
function markOf(text: string): ActivityMark {
  const [, bridge = '', compliance = ''] = /^(\d{0,15})\.(\d{0,15})$/.exec(text) ?? [];
  if (bridge === '' && compliance === '') return NO_MARK;
  return { bridge: bridge === '' ? null : Number(bridge), compliance: compliance === '' ? null : Number(compliance) };
}

function addressOf(filter: Filter, after: ActivityMark | null, kind = ''): string {
  const search = new URLSearchParams({ ...filter, ...(after === null ? {} : { after: `${after.bridge ?? ''}.${after.compliance ?? ''}` }) }).toString();
  return `/console/activity${kind}${search === '' ? '' : `?${search}`}`;
}
