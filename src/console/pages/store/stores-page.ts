import type { PersonRole } from '../../../contract/person-role.ts';
import { may } from '../../../operations/people/rights.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, sortedBy, table } from '../../../web/tables.ts';
import type { Page } from '../../base/page.ts';
import { coded, live, since, type Tone, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { weekStrips } from '../count-charts.ts';
import { listStores, type StoreInList, type StoreList } from './store-parts.ts';

/** `GET /console/stores`: every store, and how it does. */
export const storesPage: Page = {
  path: '/stores',
  right: 'stores.see',
  async get({ deps, words, person, req }) {
    const [list, week] = await Promise.all([listStores({ ...deps, ...deps.stores.recent }, await deps.stores.base()), weekStrips({ deps, words })]);
    const view = storesView(list, { week, now: deps.now(), sort: sortedBy(req.query['sort'], '/console/stores'), words });
    return { title: words.stores.title, place: 'stores', body: html`${inviteVerb(person.role, words)}${live('stores', view)}` };
  },
};

function inviteVerb(role: PersonRole, { stores: say }: Words): Html {
  return may(role, 'stores.change') ? html`<p class="verbs"><a class="verb" href="/console/stores/invitations">${say.invite}</a></p>\n` : nothing;
}

type StoresShown = { week(connectionId: string): Html; now: Date; sort: ReturnType<typeof sortedBy>; words: Words };

function storesView({ stores, isMore, most }: StoreList, { week, now, sort, words }: StoresShown): Html {
  const { stores: say } = words;
  if (stores.length === 0) return html`<p>${say.none}</p>\n<p>${coded(say.connect)}</p>\n`;
  return html`${table({
    caption: say.caption,
    columns: columnsIn({ week, now, words }),
    rows: stores,
    sort,
  })}${isMore ? html`<p class="soft">${say.isMore(most)}</p>\n` : nothing}<p class="soft">${coded(say.another)}</p>
`;
}

function columnsIn({ week, now, words }: Omit<StoresShown, 'sort'>): Columns<StoreInList> {
  const { stores: say } = words;
  return [
    { name: say.store, cell: nameOf, by: ({ name }) => name },
    { name: say.state, cell: (store) => state(store, words) },
    { name: say.lastWebhook, cell: (store) => lastWebhook(store, now, words), by: ({ deliveries }) => deliveries.lastAccepted ?? '' },
    { name: words.counts.week, cell: ({ connectionId }) => week(connectionId) },
    { name: say.webhooks, cell: (store) => webhooks(store, now, words) },
    { name: say.key, cell: (store) => key(store, words) },
    { name: say.day, n: true, cell: ({ figures }) => figures.recorded, by: ({ figures }) => figures.recorded },
    { name: say.asked, n: true, cell: ({ figures }) => figures.asked, by: ({ figures }) => figures.asked },
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
  const { warnings } = store;
  const [name, tone] = stateOf(store, words);
  return html`${tag(name, tone)}${warnings.length === 0 ? nothing : html`<br><span class="soft">${words.stores.warnings(warnings.length)}</span>`}`;
}

function stateOf({ state: is, trialSince, warnings, pauses, figures }: StoreInList, { stores: { states }, start }: Words): [string, Tone] {
  if (is === 'disconnected') return [states.disconnected, warnings.length > 0 ? 'attention' : 'quiet'];
  if (pauses.some(({ callType }) => callType === 'records')) return [states.stuck, 'failing'];
  if (warnings.length > 0) return [states.look, 'attention'];
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
