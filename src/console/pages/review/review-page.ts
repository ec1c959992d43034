import { bareMonthName } from '../../../contract/local-text.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type IssueGroup, issueGroups } from '../../../operations/review/issue-group.ts';
import { listProposals, type Proposal } from '../../../operations/review/proposals.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, rowsBefore, type Sorting, sortedBy, table, tablePaging } from '../../../web/tables.ts';
import type { Page } from '../../base/page.ts';
import { chips } from '../../frame/chips.ts';
import { live, money, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { seen as seenPart } from '../count-charts.ts';
import { assignedTags } from '../orders/assign-form.ts';
import { heading } from './issue-text.ts';
import { answersOf } from './proposal-view.ts';
import { type UnknownHostRow, type UnreadableWebhook, unknownHosts, unreadableWebhooks } from './webhooks-pages.ts';

/** `GET /console/review`: everything that waits for a person, as issues. */
export const reviewPage: Page = {
  path: '/review',
  right: 'orders.see',
  async get({ deps, words, person, req }) {
    const seen = { shops: person.shops };
    const [groups, webhooks, hosts, proposals] = await Promise.all([
      issueGroups(deps, seen),
      unreadableWebhooks(deps, seen),
      unknownHosts(deps, seen),
      listProposals(deps, seen),
    ]);
    const isMine = req.query['mine'] === '1';
    const mine = groups.filter(({ assigned, others }) => [assigned, ...others].some((one) => one.person === person.id));
    const shown = isMine ? { groups: mine, webhooks: [], hosts: [], proposals } : { groups, webhooks, hosts, proposals };
    const sort = sortedBy(req.query['sort'], isMine ? '/console/review?mine=1' : '/console/review');
    const from = rowsBefore(String(req.query['n'] ?? ''));
    return {
      title: words.review.title,
      place: 'review',
      body: html`${mine.length === 0 && !isMine ? nothing : mineChips(isMine, words)}${live('review', reviewList({ ...shown, isMine, sort, from }, words, person))}`,
    };
  },
};

function mineChips(isMine: boolean, { review: { assign: say } }: Words): Html {
  return chips([
    { to: '/console/review', name: say.everybody, isOn: !isMine },
    { to: '/console/review?mine=1', name: say.mine, isOn: isMine },
  ]);
}

/** Days before the term of a month at which its orders are marked. */
const SOON = 7;

type Waiting = {
  groups: readonly IssueGroup[];
  webhooks: readonly UnreadableWebhook[];
  hosts: readonly UnknownHostRow[];
  /** Those that nobody took or declined. */
  proposals: readonly Proposal[];
  isMine: boolean;
  sort: Sorting;
  /** The row with which the page begins. */
  from: number;
};

/** One issue in the table. `more`: beside its name. */
type Row = {
  path: string;
  issue: string;
  more(): Html;
  store: string;
  orders: string | number;
  sum: string;
  oldest: string | null;
  seen(): Html;
  month(): Html;
  verb: string;
  isSnoozed?: boolean;
};
const none = () => nothing;
const noOrders = { more: none, sum: '', seen: none, month: none };

/** A table of issues, those first whose month is due first. */
function reviewList({ groups, webhooks, hosts, proposals, isMine, sort, from }: Waiting, words: Words, person: Person): Html {
  const { review } = words;
  const { columns: w } = review;
  const proposed = new Map(proposals.map((one) => [one.group, one]));
  const rows = [
    ...hosts.map((host) => hostRow(host, words)),
    ...groups.map((group) => groupRow({ group, proposal: proposed.get(group.id) }, words, person)),
    ...(webhooks.length === 0 ? [] : [webhookRow(webhooks, words)]),
  ];
  if (rows.length === 0 && isMine) return html`<p class="banner">${review.assign.noneMine}</p>`;
  if (rows.length === 0) return html`<p class="banner ok"><strong>${review.empty}</strong> ${review.emptyMore}</p>`;
  const waiting = groups.reduce((count, group) => count + group.orders, 0);
  const unread = hosts.reduce((count, { deliveries }) => count + deliveries, webhooks.length);
  const columns: Columns<Row> = [
    { name: w.issue, cell: ({ path, issue, more }) => html`<a href="${path}"><strong>${issue}</strong></a>${more()}`, by: ({ issue }) => issue },
    { name: w.store, cell: ({ store }) => store, by: ({ store }) => store },
    { name: w.orders, n: true, cell: ({ orders }) => orders, by: ({ orders }) => Number.parseInt(String(orders), 10) },
    { name: w.sum, n: true, cell: ({ sum }) => sum },
    { name: w.oldest, cell: ({ oldest }) => (oldest === null ? nothing : when(oldest, words)), by: ({ oldest }) => oldest ?? '' },
    { name: words.counts.issue.seen, cell: ({ seen }) => seen() },
    { name: w.month, cell: ({ month }) => month() },
    { name: w.verb, cell: ({ path, verb }) => html`<a class="verb second" href="${path}">${verb}</a>` },
  ];
  const listOf = (caption: string, some: readonly Row[], first?: number) =>
    html`<div class="issues">${table({ caption, columns, rows: some, opens: true, sort, from: first })}</div>`;
  const to = (place: Readonly<Record<string, string>>) => `${sort.to(sort.by)}&${new URLSearchParams(place)}`;
  const [snoozed, others] = [rows.filter(({ isSnoozed }) => isSnoozed), rows.filter(({ isSnoozed }) => !isSnoozed)];
  return html`<p class="soft">${review.lead(waiting, unread, rows.length)}</p>
${others.length === 0 ? nothing : html`${listOf(review.title, others, from)}${tablePaging({ from, count: others.length, to }, words)}`}${snoozed.length === 0 ? nothing : html`\n<h2>${review.assign.snoozed}</h2>\n${listOf(review.assign.snoozed, snoozed)}`}`;
}

function groupRow({ group, proposal }: { group: IssueGroup; proposal: Proposal | undefined }, words: Words, person: Person): Row {
  const { store, orders, oldest } = group;
  return {
    ...{ path: `/console/review/${group.id}`, issue: heading(group, words, person), store, orders, sum: money(group.total, words), oldest },
    more: () =>
      html`${proposal === undefined ? nothing : html` ${tag(words.review.proposal.inList(proposal.by, answersOf(proposal, words)), 'attention')}`}${assignedTags(group, words)}`,
    isSnoozed: group.assigned.apartUntil !== null,
    ...{ seen: () => seenPart(group, words), month: () => risk(group, words), verb: words.review.verbs[verbOf(group)] },
  };
}

function verbOf({ code, settings }: IssueGroup): keyof Words['review']['verbs'] {
  if (settings.length > 0) return 'choose';
  if (code === '') return 'confirm';
  if (['order.other', 'removal.unproven', 'payment.divided'].includes(code)) return 'say';
  return code === 'total.mismatch' ? 'compare' : 'look';
}

/** “2 of October 2026, file due in 3 days” */
export function risk({ atRisk }: Pick<IssueGroup, 'atRisk'>, words: Words): Html {
  if (atRisk === null) return html`<span class="soft">${words.review.noRisk}</span>`;
  const { orders, month, daysLeft } = atRisk;
  const text = words.review.atRisk(orders, bareMonthName(month, words.lang), daysLeft);
  return daysLeft <= SOON ? html`<span class="risk">${tag(text, daysLeft < 2 ? 'failing' : 'attention')}</span>` : html`${text}`;
}

function webhookRow(webhooks: readonly UnreadableWebhook[], { review, issues }: Words): Row {
  const store = [...new Set(webhooks.map(({ storeName }) => storeName))].join(', ');
  const oldest = webhooks[0]?.arrivedAt ?? null;
  return {
    ...noOrders,
    path: '/console/review/webhooks',
    issue: issues.webhooks,
    store,
    orders: review.webhookCount(webhooks.length),
    oldest,
    verb: review.verbs.look,
  };
}

function hostRow({ host, storeName: store, deliveries, firstAt: oldest }: UnknownHostRow, { review, issues }: Words): Row {
  const path = '/console/review/hosts';
  return { ...noOrders, path, issue: issues.host(host), store, orders: review.webhookCount(deliveries), oldest, verb: review.verbs.whose };
}
