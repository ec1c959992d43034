import { type ShownRun, showRun } from '../../../operations/desk/show-run.ts';
import { findPerson } from '../../../operations/people/sessions.ts';
import { beginWork } from '../../../operations/runs/begin-work.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { live } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import type { Words } from '../../words/words.ts';
import { runView, seenOfRun } from './run-view.ts';

const REFRESH_SECONDS = 3;

/** `GET /console/runs/ID`: what somebody did to many orders, and what became of them since. */
export const runPage: Page = {
  path: '/runs/:id',
  right: 'orders.see',
  async get(context) {
    const { deps, words, person, req } = context;
    const run = await showRun(deps, { id: String(req.params['id']), shops: person.shops });
    if (run === null) return missing(words);
    const title = run.act === 'order.settled' ? words.runs.settledTitle(run.orders) : words.runs.title(run.orders);
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
