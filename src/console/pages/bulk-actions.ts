import { beginWork } from '../../operations/bulk-actions.ts';
import { may } from '../../operations/people/rights.ts';
import { findPerson, type Person } from '../../operations/people/sessions.ts';
import { type ShownBulkAction, showBulkAction } from '../../operations/review/show-bulk-action.ts';
import { button, formTo, mustBeSeen } from '../../web/forms.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { type Columns, table } from '../../web/tables.ts';
import { type Form, idOf, type Page, type PageContext, type Reply } from '../base/page.ts';
import { live, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { missingPage } from '../problem-pages.ts';
import { checkResult } from './review/check-result.ts';
import { heading } from './review/issue-text.ts';

const REFRESH_SECONDS = 3;

const MOST_SEEN = 10_000;

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
      ...(bulkAction.underWay > 0 || bulkAction.work === 'working' || !bulkAction.isCounted ? { refreshPlainly: REFRESH_SECONDS } : {}),
    };
  },
  post: { right: 'orders.decide', act: goOn },
};

/** What was cut short goes on, by whoever says so. */
async function goOn(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, person, by } = context;
  const bulkAction = await showBulkAction(deps, { id: idOf(context), shops: person.shops });
  if (bulkAction === null) return missingPage(words);
  mustBeSeen(form, seenOfBulkAction(bulkAction), {
    sent: words.bulkActions.goOn,
    now: bulkAction.isCounted ? words.bulkActions.leftNow(bulkAction.left) : words.bulkActions.counting,
  });
  await beginWork(deps, { bulkAction: bulkAction.id, by });
  return { goTo: `/console/bulk-actions/${bulkAction.id}` };
}

async function nameOf({ deps }: PageContext, { who }: ShownBulkAction): Promise<string> {
  const person = who.startsWith('person:') ? await findPerson(deps, who.slice('person:'.length)) : null;
  if (person === null) return who;
  return person.name === '' ? person.email : person.name;
}

/** What going on with a bulk action is made from. How many are left of a large one is known as it was a moment ago alone. */
function seenOfBulkAction({ work, orders, left }: ShownBulkAction): unknown {
  return [work, orders > MOST_SEEN ? orders : left];
}

/** “298 recorded, 1 refused: …”, and how far it came. */
function bulkActionView({ bulkAction, who, person }: { bulkAction: ShownBulkAction; who: string; person: Person }, words: Words): Html {
  const { bulkActions } = words;
  return html`<p class="soft">${bulkAction.about === null ? nothing : html`${bulkAction.about.store}, `}${bulkActions.by(who)} ${when(bulkAction.at, words)}</p>
${bulkAction.isCounted ? progress(bulkAction, words) : html`<p role="status">${bulkActions.counting}</p>`}
${bulkAction.underWay > 0 || bulkAction.work === 'working' ? html`<p class="soft">${bulkActions.leave}</p>` : nothing}
${bulkAction.left > 0 ? left(bulkAction, person, words) : nothing}
${bulkAction.one === null ? nothing : checkResult(bulkAction, words, person)}
${issues(bulkAction, words, person)}
<p><a href="/console/review">${words.review.back}</a></p>`;
}

function progress(bulkAction: ShownBulkAction, words: Words): Html {
  const decided = bulkAction.orders - bulkAction.left - bulkAction.underWay;
  return html`<p><label>${words.bulkActions.progress(decided, bulkAction.orders)} <progress max="${bulkAction.orders}" value="${decided}"></progress></label></p>
<p class="figure" role="status">${countsOf(bulkAction, words)}</p>`;
}

/** Orders to which nothing was done: that is to come, was cut short, or can't be done with the others. */
function left(bulkAction: ShownBulkAction, person: Person, { bulkActions }: Words): Html {
  const group = bulkAction.about?.of === 'rest' ? html`<p><a href="/console/review/${bulkAction.about.group}">${bulkActions.toGroup}</a></p>` : nothing;
  if (bulkAction.work === 'working') return html`<p class="soft">${bulkActions.toCome(bulkAction.left)}</p>`;
  if (bulkAction.work === 'ended') return html`<p class="problem">${bulkActions.apart(bulkAction.left)}</p>${group}`;
  const form = formTo(`/console/bulk-actions/${bulkAction.id}`, { seen: seenOfBulkAction(bulkAction), buttons: [button(bulkActions.goOn)] });
  return html`<p class="problem">${bulkActions.left(bulkAction.left)}</p>${may(person.role, 'orders.decide') ? form : group}`;
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
