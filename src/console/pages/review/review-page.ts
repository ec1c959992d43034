import { monthName } from '../../../contract/local-text.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type IssueGroup, issueGroups } from '../../../operations/review/issue-group.ts';
import { listProposals, type Proposal } from '../../../operations/review/proposals.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Page } from '../../base/page.ts';
import { live, money, table, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { heading } from './issue-text.ts';
import { answersOf } from './proposal-view.ts';
import { type UnknownHost, type UnreadableWebhook, unknownHosts, unreadableWebhooks } from './webhooks-pages.ts';

/** `GET /console/review`: everything that waits for a person, as issues. */
export const reviewPage: Page = {
  path: '/review',
  right: 'orders.see',
  async get({ deps, words, person }) {
    const seen = { shops: person.shops };
    const [groups, webhooks, hosts, proposals] = await Promise.all([
      issueGroups(deps, seen),
      unreadableWebhooks(deps, seen),
      unknownHosts(deps, seen),
      listProposals(deps, seen),
    ]);
    return { title: words.review.title, place: 'review', body: live('review', reviewList({ groups, webhooks, hosts, proposals }, words, person)) };
  },
};

/** Days before the term of a month at which its orders are marked. */
const SOON = 7;

type Waiting = {
  groups: readonly IssueGroup[];
  webhooks: readonly UnreadableWebhook[];
  hosts: readonly UnknownHost[];
  /** Those that nobody took or declined. */
  proposals: readonly Proposal[];
};

/** A table of issues, those first whose month is due first. */
function reviewList({ groups, webhooks, hosts, proposals }: Waiting, words: Words, person: Person): Html {
  const { review } = words;
  const { issue, store, orders, sum, oldest, month, verb } = review.columns;
  const proposed = new Map(proposals.map((one) => [one.group, one]));
  const rows = [
    ...hosts.map((host) => hostRow(host, words)),
    ...groups.map((group) => groupRow({ group, proposal: proposed.get(group.id) }, words, person)),
    ...(webhooks.length === 0 ? [] : [webhookRow(webhooks, words)]),
  ];
  if (rows.length === 0) return html`<p class="banner ok"><strong>${review.empty}</strong> ${review.emptyMore}</p>`;
  const waiting = groups.reduce((count, group) => count + group.orders, 0);
  const columns = [
    { name: issue },
    { name: store },
    { name: orders, n: true as const },
    { name: sum, n: true as const },
    { name: oldest },
    { name: month },
    { name: verb },
  ];
  return html`${groups.length === 0 ? nothing : html`<p class="soft">${review.lead(waiting, groups.length)}</p>`}
<div class="issues">${table({ caption: review.title, columns, rows })}</div>`;
}

function groupRow({ group, proposal }: { group: IssueGroup; proposal: Proposal | undefined }, words: Words, person: Person): Html[] {
  const path = `/console/review/${group.id}`;
  return [
    html`<a href="${path}"><strong>${heading(group, words, person)}</strong></a>${proposal === undefined ? nothing : html` ${tag(words.review.proposal.inList(proposal.by, answersOf(proposal, words)), 'attention')}`}`,
    html`${group.store}`,
    html`${group.orders}`,
    html`${money(group.total, words)}`,
    group.oldest === null ? nothing : when(group.oldest, words),
    risk(group, words),
    html`<a class="verb second" href="${path}">${words.review.verbs[verbOf(group)]}</a>`,
  ];
}

function verbOf({ code, settings }: IssueGroup): keyof Words['review']['verbs'] {
  if (settings.length > 0) return 'choose';
  if (code === 'order.other' || code === 'removal.unproven') return 'say';
  return code === 'total.mismatch' ? 'compare' : 'look';
}

/** “2 of October 2026, file due in 3 days” */
export function risk({ atRisk }: Pick<IssueGroup, 'atRisk'>, words: Words): Html {
  if (atRisk === null) return html`<span class="soft">${words.review.noRisk}</span>`;
  const { orders, month, daysLeft } = atRisk;
  const text = words.review.atRisk(orders, monthName(month, words.lang), daysLeft);
  return daysLeft <= SOON ? html`<span class="risk">${tag(text, daysLeft < 2 ? 'failing' : 'attention')}</span>` : html`${text}`;
}

function webhookRow(webhooks: readonly UnreadableWebhook[], words: Words): Html[] {
  const { review, issues } = words;
  const stores = [...new Set(webhooks.map(({ storeName }) => storeName))].join(', ');
  const path = '/console/review/webhooks';
  return [
    html`<a href="${path}"><strong>${issues.webhooks}</strong></a>`,
    html`${stores}`,
    html`${review.webhookCount(webhooks.length)}`,
    nothing,
    when(webhooks[0]?.arrivedAt ?? null, words),
    nothing,
    html`<a class="verb second" href="${path}">${review.verbs.look}</a>`,
  ];
}

function hostRow({ host, storeName, deliveries, firstAt }: UnknownHost, words: Words): Html[] {
  const { review, issues } = words;
  const path = '/console/review/hosts';
  return [
    html`<a href="${path}"><strong>${issues.host(host)}</strong></a>`,
    html`${storeName}`,
    html`${review.webhookCount(deliveries)}`,
    nothing,
    when(firstAt, words),
    nothing,
    html`<a class="verb second" href="${path}">${review.verbs.whose}</a>`,
  ];
}
