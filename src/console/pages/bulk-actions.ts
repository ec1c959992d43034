import { actorNames } from '../../operations/people/people.ts';
import { may } from '../../operations/people/rights.ts';
import type { Person } from '../../operations/people/sessions.ts';
import { type ShownBulkAction, showBulkAction } from '../../operations/review/show-bulk-action.ts';
import { button, formTo } from '../../web/forms.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, table } from '../../web/tables.ts';
import { idOf, type Page, type PageContext } from '../base/page.ts';
import { live, money, storeLink, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { missingPage } from '../problem-pages.ts';
import { whoWords } from './order/sentence.ts';
import { checkResult } from './review/check-result.ts';
import { heading } from './review/issue-text.ts';

const REFRESH_SECONDS = 3;

/** `GET /console/bulk-actions/ID`: what somebody did to many orders, and what became of them since. */
export const bulkActionPage: Page = {
  path: '/bulk-actions/:id',
  right: 'orders.see',
  async get(context) {
    const { deps, words, person } = context;
    const bulkAction = await showBulkAction(deps, { id: idOf(context), shops: person.shops });
    if (bulkAction === null) return missingPage(words);
    const title = bulkAction.act === 'order.resolved' ? words.bulkActions.resolvedTitle(bulkAction.orders) : words.bulkActions.title(bulkAction.orders);
    return {
      ...{ title, place: 'review', body: live('bulk-action', bulkActionView({ bulkAction, who: await nameOf(context, bulkAction), person }, words)) },
      ...(bulkAction.underWay > 0 || bulkAction.isWorkedOn || !bulkAction.isCounted ? { refreshPlainly: REFRESH_SECONDS } : {}),
    };
  },
};

async function nameOf({ deps, words }: PageContext, { who }: ShownBulkAction): Promise<string> {
  return whoWords({ who, name: (await actorNames(deps.pool, [who])).get(who) }, words);
}

/** “298 recorded, 1 refused: …”, and how far it came. */
function bulkActionView({ bulkAction, who, person }: { bulkAction: ShownBulkAction; who: string; person: Person }, words: Words): Html {
  const { bulkActions } = words;
  return html`<p class="soft">${bulkAction.about === null ? nothing : html`${storeLink({ id: bulkAction.about.connectionId, name: bulkAction.about.store }, person)}, `}${bulkActions.by(who)} ${when(bulkAction.at, words)}</p>
${bulkAction.isCounted ? progress(bulkAction, words) : html`<p role="status">${bulkActions.counting}</p>`}
${bulkAction.underWay > 0 || bulkAction.isWorkedOn ? html`<p class="soft">${bulkActions.leave}</p>` : nothing}
${bulkAction.left > 0 ? left(bulkAction, words, person) : nothing}
${bulkAction.one === null ? nothing : checkResult(bulkAction, words, person)}
${issues(bulkAction, words, person)}
<p><a href="/console/orders?action=${bulkAction.id}">${bulkActions.toOrders}</a></p>
${bulkAction.about?.of === 'rest' && bulkAction.recordedTotal !== null ? html`<p class="soft">${words.review.result.undo}</p>` : nothing}
<p><a href="/console/review">${words.review.back}</a></p>`;
}

function progress(bulkAction: ShownBulkAction, words: Words): Html {
  const decided = bulkAction.orders - bulkAction.left - bulkAction.underWay;
  return html`<p><label>${words.bulkActions.progress(decided, bulkAction.orders)} <progress max="${bulkAction.orders}" value="${decided}"></progress></label></p>
<p class="figure" role="status">${countsOf(bulkAction, words)}</p>${
    bulkAction.recordedTotal === null ? nothing : html`\n<p>${words.bulkActions.total(money(bulkAction.recordedTotal, words))}</p>`
  }`;
}

/** Orders to which nothing was done: that is to come, or can't be done with the others. */
function left(bulkAction: ShownBulkAction, { bulkActions }: Words, { role }: Person): Html {
  if (bulkAction.isWorkedOn) {
    const hidden = { kind: 'bulk-action', key: bulkAction.id, why: bulkActions.stop };
    const buttons = [button(bulkActions.stop, { class: 'second', name: 'verb', value: 'drop' })];
    const stop = may(role, 'orders.decide') ? formTo('/console/destinations/jobs', { hidden, buttons }) : nothing;
    return html`<p class="soft">${bulkActions.toCome(bulkAction.left)}</p>\n${stop}`;
  }
  const group = bulkAction.about?.of === 'rest' ? html`<p><a href="/console/review/${bulkAction.about.group}">${bulkActions.toGroup}</a></p>` : nothing;
  return html`<p class="problem">${bulkActions.apart(bulkAction.left)}</p>${group}`;
}

/** “298 recorded, 1 refused” */
function countsOf(bulkAction: ShownBulkAction, { bulkActions }: Words): string {
  const refused = bulkAction.issues.filter(isRefusal).reduce((sum, { orders }) => sum + orders, 0);
  const lost = bulkAction.issues.filter(({ code }) => code === '').reduce((sum, { orders }) => sum + orders, 0);
  const waits = bulkAction.issues.reduce((sum, { orders }) => sum + orders, 0) - refused - lost;
  return [
    ...bulkAction.done.map(({ state, orders }) => bulkActions.states[state](orders)),
    ...(refused === 0 ? [] : [bulkActions.refused(refused)]),
    ...(lost === 0 ? [] : [bulkActions.states.unconfirmed(lost)]),
    ...(waits === 0 ? [] : [bulkActions.states.review(waits)]),
    ...(bulkAction.underWay === 0 ? [] : [bulkActions.underWay(bulkAction.underWay)]),
  ].join(', ');
}

function isRefusal({ code }: ShownBulkAction['issues'][number]): boolean {
  return code === 'compliance.refused' || code === 'replacement.refused';
}

function issues(bulkAction: ShownBulkAction, words: Words, person: Person): Html {
  if (bulkAction.issues.length === 0 || bulkAction.one !== null) return nothing;
  const { bulkActions } = words;
  const { issuesTitle: caption, columns: w } = bulkActions;
  const columns: Columns<ShownBulkAction['issues'][number]> = [
    { name: w.issue, cell: (group) => html`<a href="/console/review/${group.id}">${heading(group, words, person)}</a>` },
    { name: w.orders, n: true, cell: ({ orders }) => orders },
  ];
  return html`<h2>${caption}</h2>
${table({ caption, columns, rows: bulkAction.issues })}`;
}
