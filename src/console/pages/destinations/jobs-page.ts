import { dropOneJob, type JobReport, mayDrop, reportJobs, retryFailedJobs } from '../../../operations/jobs.ts';
import { may } from '../../../operations/people/rights.ts';
import { JOB_STATES } from '../../../platform/jobs/job-store.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { live, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

const HERE = '/console/destinations/jobs';

/** `GET, POST /console/destinations/jobs`: background jobs by kind, and those that fail. */
export const jobsPage: Page = {
  path: '/destinations/jobs',
  right: 'queues.see',
  async get({ deps, words, person }) {
    const report = await reportJobs(deps);
    const parts = html`${countsPart(report, words)}${failingPart(report, may(person.role, 'orders.decide'), words)}`;
    const back = html`<p><a href="/console/destinations">${words.destinations.title}</a></p>\n`;
    return { title: words.jobs.title, place: 'destinations', body: html`${back}<p>${words.jobs.intro}</p>\n${live('jobs', parts)}` };
  },
  post: { right: 'orders.decide', act },
};

async function act({ deps, by }: PageContext, form: Form): Promise<PageReply> {
  const job = { kind: form.text('kind'), key: form.text('key'), by };
  if (form.text('verb') === 'drop') {
    await dropOneJob(deps, { ...job, why: form.text('why') });
    return job.kind === 'bulk-action' ? { goTo: `/console/bulk-actions/${job.key}`, done: 'bulkActionStopped' } : { goTo: HERE, done: 'jobDropped' };
  }
  await retryFailedJobs(deps, job);
  return { goTo: HERE, done: 'jobRetried' };
}

function countsPart({ counts }: JobReport, { jobs: say }: Words): Html {
  if (counts.length === 0) return html`<p>${say.none}</p>\n`;
  const rows = [...Map.groupBy(counts, ({ kind }) => kind)];
  const ofState = (state: (typeof JOB_STATES)[number]): Columns<(typeof rows)[number]>[number] => ({
    ...{ name: say.states[state], n: true },
    cell: ([, of]) => of.find((one) => one.state === state)?.count ?? 0,
  });
  return table({
    caption: say.caption,
    columns: [{ name: say.kind, cell: ([kind]) => html`<code>${kind}</code>` }, ...JOB_STATES.map(ofState)],
    rows,
  });
}

function failingPart({ failing }: JobReport, mayDecide: boolean, words: Words): Html {
  const { jobs: say } = words;
  if (failing.length === 0) return nothing;
  const list = table({
    caption: say.failing,
    columns: [
      { name: say.key, cell: ({ kind, key }) => html`<code>${kind} ${key}</code>` },
      { name: say.since, cell: (job) => when(job.since, words) },
      // What a service said may name a buyer.
      { name: say.why, cell: ({ attempts, error }) => html`${say.attempts(attempts)}${mayDecide ? html`<br><span class="soft">${error}</span>` : nothing}` },
      {
        name: say.next,
        cell: (job) => html`${job.nextAt === null ? say.blocked : when(job.nextAt, words)}${mayDecide ? verbs(job, words) : nothing}`,
      },
    ],
    rows: failing,
  });
  return html`<h2>${say.failing}</h2>\n${list}`;
}

function verbs({ kind, key }: JobReport['failing'][number], { jobs: say }: Words): Html {
  const press = (value: string, label: string) => [button(label, { class: 'second', name: 'verb', value })];
  const retry = formTo(HERE, { hidden: { kind, key }, buttons: press('retry', say.retry) });
  if (!mayDrop(kind)) return html` ${retry}`;
  const why = field({ name: 'why', id: `why-${kind}-${key}`, label: say.reason, required: true });
  return html` ${retry} ${formTo(HERE, { hidden: { kind, key }, body: why, buttons: press('drop', say.drop) })}`;
}
