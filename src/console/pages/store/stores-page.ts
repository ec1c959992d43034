import type { PersonRole } from '../../../contract/person-role.ts';
import { type DayRange, dayRange } from '../../../operations/day-range.ts';
import { may } from '../../../operations/people/rights.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, rowsBefore, sortedBy, table, tablePaging } from '../../../web/tables.ts';
import type { Page } from '../../base/page.ts';
import { dayChips } from '../../frame/chips.ts';
import { listAddress, live, since, type Tone, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { countedOn, weekStrips } from '../count-charts.ts';
import { inAddress } from '../orders/order-list-request.ts';
import { listStores, type StoreInList, type StoreList } from './store-parts.ts';

/** `GET /console/stores`: every store, and how it does. */
export const storesPage: Page = {
  path: '/stores',
  right: 'stores.see',
  async get(context) {
    const { deps, words, person } = context;
    const text = inAddress(context);
    const days = dayRange({ from: text('from'), to: text('to') });
    const [list, week] = await Promise.all([listStores({ ...deps, ...deps.stores.recent }, await deps.stores.base()), weekStrips({ deps, words })]);
    const counted = await countedOn(
      deps,
      days,
      list.stores.map(({ connectionId }) => connectionId),
    );
    const to = (chosen: DayRange) => listAddress('stores', chosen);
    const shown = { week, counted, now: deps.now(), sort: sortedBy(text('sort'), to(days)), from: rowsBefore(text('n')) };
    const view = storesView(list, { ...shown, to: (place) => listAddress('stores', { ...days, sort: text('sort'), ...place }), words });
    const chips = list.stores.length === 0 ? nothing : dayChips({ today: sofiaDay(deps.now().toISOString()), days, to }, words);
    return { title: words.stores.title, place: 'stores', body: html`${inviteVerb(person.role, words)}${chips}${live('stores', view)}` };
  },
};

function inviteVerb(role: PersonRole, { stores: say }: Words): Html {
  return may(role, 'stores.change') ? html`<p class="verbs"><a class="verb" href="/console/stores/invitations">${say.invite}</a></p>\n` : nothing;
}

type StoresShown = {
  week(connectionId: string): Html;
  counted: Awaited<ReturnType<typeof countedOn>>;
  now: Date;
  sort: ReturnType<typeof sortedBy>;
  from: number;
  to(place: Readonly<Record<string, string>>): string;
  words: Words;
};

function storesView({ stores, isMore, most }: StoreList, { sort, from, to, words, ...shown }: StoresShown): Html {
  const { stores: say } = words;
  if (stores.length === 0) return html`<p>${say.none}</p>\n<p>${say.connect}</p>\n`;
  const sum = (what: 'recorded' | 'asked') => stores.reduce((all, store) => all + figureOf(store, what, shown), 0);
  return html`${shown.counted === null ? nothing : html`<p><strong>${say.sums(sum('recorded'), sum('asked'))}</strong></p>\n`}${table({ caption: say.caption, columns: columnsIn({ ...shown, words }), rows: stores, sort, from })}${tablePaging({ from, count: stores.length, to }, words)}${isMore && shown.counted === null ? html`<p class="soft">${say.isMore(most)}</p>\n` : nothing}
`;
}

/** On the days that are chosen, or in the last 24 hours. */
function figureOf({ connectionId, figures }: StoreInList, what: 'recorded' | 'asked', { counted }: Pick<StoresShown, 'counted'>): number {
  return (counted === null ? figures : counted(connectionId))[what];
}

function columnsIn({ week, counted, now, words }: Omit<StoresShown, 'sort' | 'from' | 'to'>): Columns<StoreInList> {
  const { stores: say } = words;
  const figure = (what: 'recorded' | 'asked') => (store: StoreInList) => figureOf(store, what, { counted });
  return [
    { name: say.store, cell: nameOf, by: ({ name }) => name },
    { name: say.state, cell: (store) => state(store, words) },
    { name: say.lastWebhook, cell: (store) => lastWebhook(store, now, words), by: ({ deliveries }) => deliveries.lastAccepted ?? '' },
    { name: words.counts.week, cell: ({ connectionId }) => week(connectionId) },
    { name: say.webhooks, cell: (store) => webhooks(store, now, words) },
    { name: say.key, cell: (store) => key(store, words) },
    { name: counted === null ? say.day : say.recorded, n: true, cell: figure('recorded'), by: figure('recorded') },
    { name: counted === null ? say.asked : say.review, n: true, cell: figure('asked'), by: figure('asked') },
    { name: say.waiting, n: true, cell: (store) => waiting(store, words), by: ({ figures }) => figures.waiting },
  ];
}

function nameOf({ connectionId, name, platform, store }: StoreInList): Html {
  return html`<a href="/console/stores/${connectionId}">${name}</a><br><span class="soft">${[platform, store].filter((part) => part !== null).join(' · ')}</span>`;
}

function waiting({ figures, gapsOfSettings }: StoreInList, { stores: say }: Words): Html {
  const gaps = gapsOfSettings.flatMap(({ kind, value }) => (value === null ? [] : kind === 'vat' ? `${value} %` : value));
  return html`${figures.waiting}${gaps.length === 0 ? nothing : html`<br><span class="soft">${say.gaps(gaps.join(', '))}</span>`}`;
}

function state(store: StoreInList, words: Words): Html {
  const [name, tone] = stateOf(store, words);
  const warnings = words.stores.warnings(store.warnings.length);
  return html`${tag(name, tone)}${store.warnings.length === 0 || name === warnings ? nothing : html`<br><span class="soft">${warnings}</span>`}`;
}

function stateOf({ state: is, trialSince, warnings, pauses, figures }: StoreInList, { stores: { states, warnings: counted }, start }: Words): [string, Tone] {
  if (is === 'disconnected') return [states.disconnected, warnings.length > 0 ? 'attention' : 'quiet'];
  if (pauses.some(({ callType }) => callType === 'records')) return [states.stuck, 'failing'];
  if (warnings.length > 0) return [counted(warnings.length), 'attention'];
  if (trialSince !== null) return [start.state, 'quiet'];
  return figures.waiting > 0 ? [states.review, 'attention'] : [states.well, 'ok'];
}

function lastWebhook({ deliveries: { lastAccepted, lastRefused, refusedInARow } }: StoreInList, now: Date, words: Words): Html {
  const { stores: say } = words;
  const ago = since(lastAccepted, now, words);
  if (lastRefused === null) return html`${ago}`;
  const refused = since(lastRefused, now, words);
  const refusals = refusedInARow > 0 ? tag(say.refused(refusedInARow, refused), 'failing') : html`<span class="soft">${say.lastRefused(refused)}</span>`;
  return html`${ago}<br>${refusals}`;
}

function webhooks({ webhooks: { listedAt, problems, error }, api, state: is }: StoreInList, now: Date, words: Words): Html {
  const { stores: say, frame } = words;
  if (is === 'disconnected') return html`${frame.none}`;
  if (problems.length > 0) return tag(say.broken(problems.join(', ')), 'failing');
  if (error !== null || listedAt === null) return html`<span class="soft">${api.listsWebhooks && api.hasAccess ? say.notListed : say.unlisted}</span>`;
  return html`${say.listed(since(listedAt, now, words))}`;
}

function key({ api: { takesKey, hasAccess, problem }, storePauses, read, webhooks: { listedAt } }: StoreInList, { stores: { keys } }: Words): Html {
  if (!takesKey) return html`<span class="soft">${keys.never}</span>`;
  if (!hasAccess) return html`<span class="soft">${keys.none}</span>`;
  const isTried = read?.readAt != null || listedAt !== null;
  if (problem === null && storePauses.length === 0 && !isTried) return html`${keys.given}`;
  return problem !== null || storePauses.length > 0 ? tag(keys.fails, 'failing') : tag(keys.works, 'ok');
}
