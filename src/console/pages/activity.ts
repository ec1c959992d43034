import { DECISIONS } from '../../bridge/ledger/bridge-acts.ts';
import { dayName, sortableText } from '../../contract/local-text.ts';
import { orderCount } from '../../contract/plural.ts';
import {
  type Activity,
  type ActivityMark,
  type ActivityWanted,
  type ChangedField,
  changedFields,
  countActivity,
  knownActs,
  listActivity,
  markAfter,
  namedSubject,
  namesInActs,
  runsOf,
} from '../../operations/activity/list-activity.ts';
import { type DayRange, dayRange, instantsOf, isInstant } from '../../operations/day-range.ts';
import { actFor } from '../../operations/order-detail/quoted-words.ts';
import { MOST_COUNTED } from '../../operations/orders/find-orders.ts';
import { idsLikeName } from '../../operations/orders/named-order.ts';
import { stateNamed } from '../../operations/words.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import { csvRow, textCell } from '../../platform/csv-cell.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { attributes } from '../../web/attributes.ts';
import { button, field, formTo } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { type Columns, listPaging, PAGE, table } from '../../web/tables.ts';
import type { Page, PageContext } from '../base/page.ts';
import { dayChips } from '../frame/chips.ts';
import { chosenIn, listAddress, momentName, namedOptions, problemText, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { inAddress } from './orders/order-list-request.ts';

/** Of these the rows of a page are made. */
const MOST_READ = 500;
const MOST_OF_CSV = 10_000;
const CSV_PAGE = 250;
const NO_MARK: ActivityMark = { bridge: null, compliance: null };

/** What an address asks for; '': anything. `act` "decided": any by which orders leave the review. `order`: what people call it. `since`: an instant. */
type Query = DayRange & { who: string; act: string; store: string; order: string; since: string };

/** The address of what somebody decided about orders since an instant. */
export const decidedSince = (who: string, since: string): string => addressOf({ who, act: DECIDED, since });
const DECIDED = 'decided';
type Names = ReadonlyMap<string, string>;

/** `GET /console/activity?who=&act=&store=&order=&from=&to=&after=&back=`: the audit log, the newest first. `back`: where the pages before begin. */
export const activityPage: Page = {
  path: '/activity',
  right: 'activity.see',
  async get(context) {
    const { deps, words, person } = context;
    const asked = queryOf(context);
    const text = inAddress(context);
    const { mark: before, rows } = placeOf(text('after'));
    const wanted = await wantedIn(context, asked);
    const [acts, names, count] = await Promise.all([
      listActivity(deps, { ...wanted, before, limit: MOST_READ }),
      namesInActs(deps),
      countActivity(deps, wanted, MOST_COUNTED + 1),
    ]);
    const page = runsOf(acts, PAGE);
    const shown = page.runs.map((run) => run.map((act) => actFor(person, act)));
    const isMore = page.acts < acts.length || acts.length === MOST_READ;
    const next = isMore ? placeText({ mark: markAfter(acts.slice(0, page.acts), before), rows: rows + page.acts }) : null;
    const at = { before: rows, shown: page.acts, count, most: MOST_COUNTED };
    const ways = waysOf({ asked, at, after: text('after'), back: text('back'), next }, words);
    const body = html`<p class="soft">${words.activity.lead}</p>
${controls({ asked, names, stores: await deps.connections.list() }, words)}
${dayChips({ today: sofiaDay(deps.now().toISOString()), days: asked, to: (days) => addressOf({ ...asked, ...days }) }, words)}
${acts.length === 0 ? html`<p>${addressOf(asked) === addressOf({}) ? words.activity.none : words.activity.noneSuch}</p>` : html`<p><strong>${words.activity.hits(count, MOST_COUNTED)}</strong></p>\n${byDay(shown, names, words)}`}
<p class="verbs">${ways}<a href="${addressOf(asked, '.csv')}">${words.activity.csv}</a></p>`;
    return { title: words.activity.title, place: 'activity', body };
  },
};

async function wantedIn({ deps }: Pick<PageContext, 'deps'>, { who: by, act, store, order, from, to, since }: Query): Promise<ActivityWanted> {
  const connection = (await deps.connections.list()).find(({ id }) => id === store);
  const days = instantsOf({ from, to });
  return {
    ...(by === '' ? {} : { who: by }),
    ...(act === '' ? {} : act === DECIDED ? { acts: DECISIONS } : { act }),
    ...(connection === undefined ? {} : { connection: connection.id }),
    ...(order === '' ? {} : { orders: await idsLikeName(deps, order, connection === undefined ? null : [connection.id]) }),
    ...days,
    ...(since > (days.from ?? '') ? { from: since } : {}),
  };
}

type Ways = { asked: Query; at: Parameters<typeof listPaging>[0]['at']; after: string; back: string; next: string | null };

/** The marks of the pages before are kept in the address: how many acts are in a row is known of those that were read. */
function waysOf({ asked, at, after, back, next }: Ways, words: Words): Html {
  const before = back === '' ? [] : back.split('_').slice(-MOST_BACK);
  const onward = next === null ? null : { after: next, back: (after === '' ? [] : [...before, after]).join('_') };
  const previous = after === '' ? null : { after: before.at(-1) ?? '', back: before.slice(0, -1).join('_') };
  return listPaging({ next: onward, previous, at, to: (place) => addressOf({ ...asked, ...place }) }, words);
}

const MOST_BACK = 50;

function controls({ asked, names, stores }: { asked: Query; names: Names; stores: readonly { id: string; name: string }[] }, words: Words): Html {
  const { columns: w, any, show } = words.activity;
  const people = [...[...names].filter(([actor]) => actor.startsWith('person:')), [PROGRAM, words.activity.program] as const];
  const fields = [
    field({ name: 'who', label: w.who, value: asked.who, none: any.who, options: people }),
    field({ name: 'act', label: w.what, value: asked.act, none: any.act, options: [[DECIDED, words.activity.decided], ...knownActs(words.lang)] }),
    field({
      name: 'store',
      label: words.orders.columns.store,
      value: asked.store,
      none: words.orders.everyStore,
      options: namedOptions(stores),
    }),
    field({ name: 'order', label: words.orders.columns.number, value: asked.order, autocomplete: 'off' }),
    field({ name: 'from', label: words.frame.days.from, type: 'date', value: asked.from }),
    field({ name: 'to', label: words.frame.days.to, type: 'date', value: asked.to }),
  ];
  const isSet = Object.values(asked).some((one) => one !== '');
  const body = html`<details${attributes({ open: isSet })}><summary>${words.orders.filters}</summary>
<div class="pair">${lines(fields)}</div>
<p class="verbs">${button(show, { class: 'second' })}<a href="/console/activity">${words.activity.filter.all}</a></p>
</details>`;
  const { since } = asked;
  const all = html`<a href="${addressOf({ ...asked, since: '' })}">${words.activity.filter.all}</a>`;
  const line = since === '' ? nothing : html`<p><strong>${words.activity.since(momentName(since, words.lang))}</strong> ${all}</p>\n`;
  return html`${formTo('/console/activity', { method: 'get', class: 'find', hidden: chosenIn({ since }), body, buttons: [] })}${line}`;
}

/** `GET /console/activity.csv`, with the same query: as many as a person can look through. */
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
async function* csvParts(context: PageContext, names: Names): AsyncGenerator<Buffer> {
  const { deps, words, person } = context;
  const { columns: w } = words.activity;
  const wanted = await wantedIn(context, queryOf(context));
  yield Buffer.from(`\ufeff${csvRow([w.at, w.who, w.what, w.about, w.change, w.why].map(textCell), words.lang)}`);
  for (let [left, before] = [MOST_OF_CSV, NO_MARK]; left > 0; left -= CSV_PAGE) {
    const acts = await listActivity(deps, { ...wanted, before, limit: CSV_PAGE });
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

/** A table of each day; the same that was done to many orders is one row, which opens. */
function byDay(runs: readonly (readonly Activity[])[], names: Names, words: Words): Html {
  const days = Map.groupBy(runs, ([first]) => sofiaDay(first?.at ?? ''));
  const columns = columnsIn(names, words);
  return html`${lines([...days].map(([day, rows]) => html`<h2>${dayName(day, words.lang)}</h2>\n${table({ caption: dayName(day, words.lang), columns, rows })}`))}`;
}

function columnsIn(names: Names, words: Words): Columns<readonly Activity[]> {
  const { columns: w } = words.activity;
  const of = (cell: (act: Activity) => Html | string) => (run: readonly Activity[]) => html`${run.slice(0, 1).map((act) => html`${cell(act)}`)}`;
  return [
    { name: w.at, cell: of(({ at }) => when(at, words, 'second')) },
    { name: w.who, cell: of((act) => html`<a href="${addressOf({ who: act.who })}">${who(act, names, words)}</a>`) },
    { name: w.what, cell: of(({ act, bg, means }) => html`<a href="${addressOf({ act })}">${words.lang === 'bg' ? bg : means}</a>`) },
    { name: w.about, cell: (run) => (run.length === 1 ? of((act) => aboutCell(act, names, words))(run) : manyOf(run, names, words)) },
    { name: w.change, cell: (run) => (run.length === 1 ? of((act) => changes(act, words))(run) : nothing) },
    { name: w.why, cell: of(({ why }) => why ?? '') },
  ];
}

function manyOf(run: readonly Activity[], names: Names, words: Words): Html {
  const each = run.map((act) => html`<li>${aboutCell(act, names, words)}${changes(act, words)}</li>`);
  return html`<details><summary>${orderCount[words.lang](run.length)}</summary><ul class="changes">${lines(each)}</ul></details>`;
}

/** The order leads to its page. */
function aboutCell(act: Activity, names: Names, words: Words): Html {
  const text = about(act, names, words);
  return act.order === null
    ? html`<span class="name">${text}</span>`
    : html`<a class="name" href="/console/orders?q=${encodeURIComponent(act.order.orderId)}">${text}</a>`;
}

/** A value that only programs write so, such as a setting or an address. */
function marked(value: string, { lang }: Words): Html {
  return lang === 'bg' && /^[\x21-\x7e]+$/.test(value) && /[A-Za-z]/.test(value) ? html`<code>${value}</code>` : html`${value}`;
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
  const list = html`<ul class="changes">${lines}</ul>`;
  return fields.length <= FEW_CHANGES ? list : html`<details><summary>${words.activity.values(fields.length)}</summary>${list}</details>`;
}

/** More are folded, such as all settings of a store that was connected. */
const FEW_CHANGES = 6;

/** States, and why an order waits, which the audit log keeps in English. */
function valueWords(of: unknown, { field, was: value }: Pick<ChangedField, 'field' | 'was'>, lang: Words['lang']): string | null {
  if (value === null) return value;
  if (field === 'state') return lang === 'bg' ? stateNamed(value, lang) : value;
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

function queryOf(context: Pick<PageContext, 'req'>): Query {
  const text = inAddress(context);
  const short = (name: string) => text(name).trim().slice(0, 200);
  const since = isInstant(text('since')) ? text('since') : '';
  return { who: short('who'), act: short('act'), store: short('store'), order: short('order'), since, ...dayRange({ from: text('from'), to: text('to') }) };
}

/** "12.7.50": below act 12 of the bridge and act 7 of the service, after 50 others; anything else is the beginning. */
function placeOf(text: string): { mark: ActivityMark; rows: number } {
  const [, bridge = '', compliance = '', rows = ''] = /^(\d{0,15})\.(\d{0,15})(?:\.(\d{0,15}))?$/.exec(text) ?? [];
  const idOf = (id: string) => (id === '' ? null : Number(id));
  return { mark: { bridge: idOf(bridge), compliance: idOf(compliance) }, rows: Number(rows) };
}

function placeText({ mark, rows }: ReturnType<typeof placeOf>): string {
  return `${mark.bridge ?? ''}.${mark.compliance ?? ''}.${rows}`;
}

function addressOf(query: Partial<Query> & Readonly<Record<string, string>>, kind: '' | '.csv' = ''): string {
  return listAddress(`activity${kind}`, query);
}
