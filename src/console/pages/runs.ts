import { may } from '../../operations/people/rights.ts';
import { findPerson, type Person } from '../../operations/people/sessions.ts';
import { type ShownRun, showRun } from '../../operations/review/show-run.ts';
import { beginWork } from '../../operations/runs.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../base/page.ts';
import { live, seen, table, when } from '../frame/parts.ts';
import { mustBeSeen } from '../frame/stale.ts';
import type { Words } from '../messages/messages.ts';
import { checkResult } from './review/check-result.ts';
import { heading } from './review/issue-text.ts';

const REFRESH_SECONDS = 3;

const MOST_SEEN = 10_000;

/** `GET /console/runs/ID`: what somebody did to many orders, and what became of them since. */
export const runPage: Page = {
  path: '/runs/:id',
  right: 'orders.see',
  async get(context) {
    const { deps, words, person, req } = context;
    const run = await showRun(deps, { id: String(req.params['id']), shops: person.shops });
    if (run === null) return missing(words);
    const title = run.act === 'order.resolved' ? words.runs.resolvedTitle(run.orders) : words.runs.title(run.orders);
    return {
      ...{ title, place: 'review', body: live('run', runView({ run, who: await nameOf(context, run), person }, words)) },
      ...(run.underWay > 0 || run.work === 'working' || !run.isCounted ? { refreshPlainly: REFRESH_SECONDS } : {}),
    };
  },
  post: { right: 'orders.decide', act: goOn },
};

/** What was cut short goes on, by whoever says so. */
async function goOn(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, person, req, by } = context;
  const run = await showRun(deps, { id: String(req.params['id']), shops: person.shops });
  if (run === null) return missing(words);
  mustBeSeen(form, seenOfRun(run), { sent: words.runs.goOn, now: run.isCounted ? words.runs.leftNow(run.left) : words.runs.counting });
  await beginWork(deps, { run: run.id, by });
  return { goTo: `/console/runs/${run.id}` };
}

function missing({ frame: { problem } }: Words): Shown {
  return { status: 404, title: problem.missingTitle, body: html`<p>${problem.missing}</p>` };
}

async function nameOf({ deps }: PageContext, { who }: ShownRun): Promise<string> {
  const person = who.startsWith('person:') ? await findPerson(deps, who.slice('person:'.length)) : null;
  if (person === null) return who;
  return person.name === '' ? person.email : person.name;
}

type Seen = { run: ShownRun; who: string; person: Person };

/** What going on with a run is made from. How many are left of a large one is known as it was a moment ago alone. */
function seenOfRun({ work, orders, left }: ShownRun): unknown {
  return [work, orders > MOST_SEEN ? orders : left];
}

/** “298 recorded, 1 refused: …”, and how far it came. */
function runView({ run, who, person }: Seen, words: Words): Html {
  const { runs } = words;
  return html`<p class="soft">${run.about === null ? nothing : html`${run.about.store}, `}${runs.by(who)} ${when(run.at, words)}</p>
${run.isCounted ? progress(run, words) : html`<p role="status">${runs.counting}</p>`}
${run.underWay > 0 || run.work === 'working' ? html`<p class="soft">${runs.leave}</p>` : nothing}
${run.left > 0 ? left(run, person, words) : nothing}
${run.one === null ? nothing : checkResult(run, words, person)}
${issues(run, words, person)}
<p><a href="/console/review">${words.review.back}</a></p>`;
}

function progress(run: ShownRun, words: Words): Html {
  const decided = run.orders - run.left - run.underWay;
  return html`<p><label>${words.runs.progress(decided, run.orders)} <progress max="${run.orders}" value="${decided}"></progress></label></p>
<p class="figure" role="status">${countsOf(run, words)}</p>`;
}

/** Orders to which nothing was done: that is to come, was cut short, or can't be done with the others. */
function left(run: ShownRun, person: Person, { runs }: Words): Html {
  const group = run.about?.of === 'rest' ? html`<p><a href="/console/review/${run.about.group}">${runs.toGroup}</a></p>` : nothing;
  if (run.work === 'working') return html`<p class="soft">${runs.toCome(run.left)}</p>`;
  if (run.work === 'ended') return html`<p class="problem">${runs.apart(run.left)}</p>${group}`;
  const form = html`<form method="post" action="/console/runs/${run.id}">${seen(seenOfRun(run))}<button>${runs.goOn}</button></form>`;
  return html`<p class="problem">${runs.left(run.left)}</p>${may(person.role, 'orders.decide') ? form : group}`;
}

/** “298 recorded, 1 refused” */
function countsOf(run: ShownRun, { runs }: Words): string {
  const refused = run.issues.filter(isRefusal).reduce((sum, { orders }) => sum + orders, 0);
  const lost = run.issues.filter(({ code }) => code === '').reduce((sum, { orders }) => sum + orders, 0);
  const waits = run.issues.reduce((sum, { orders }) => sum + orders, 0) - refused - lost;
  return [
    ...run.done.map(({ state, orders }) => runs.states[state](orders)),
    ...(refused === 0 ? [] : [runs.refused(refused)]),
    ...(lost === 0 ? [] : [runs.states.unconfirmed(lost)]),
    ...(waits === 0 ? [] : [runs.states.review(waits)]),
    ...(run.underWay === 0 ? [] : [runs.underWay(run.underWay)]),
  ].join(', ');
}

function isRefusal({ code }: ShownRun['issues'][number]): boolean {
  return code === 'compliance.refused' || code === 'replacement.refused';
}

function issues(run: ShownRun, words: Words, person: Person): Html {
  if (run.issues.length === 0 || run.one !== null) return nothing;
  const { runs } = words;
  const rows = run.issues.map((group) => [html`<a href="/console/review/${group.id}">${heading(group, words, person)}</a>`, html`${group.orders}`]);
  return html`<h2>${runs.issuesTitle}</h2>
${table({ caption: runs.issuesTitle, columns: [{ name: runs.columns.issue }, { name: runs.columns.orders, n: true }], rows })}`;
}
