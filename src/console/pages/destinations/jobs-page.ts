import { dropOneJob, type JobReport, mayDrop, reportJobs, retryFailedJobs } from '../../../operations/jobs.ts';
import { may } from '../../../operations/people/rights.ts';
import { JOB_STATES } from '../../../platform/jobs/job-store.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { field, live, table, when } from '../../frame/parts.ts';
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

async function act({ deps, by }: PageContext, form: Form): Promise<Reply> {
  const job = { kind: form.text('kind'), key: form.text('key'), by };
  if (form.text('verb') === 'drop') {
    await dropOneJob(deps, { ...job, why: form.text('why') });
    return { goTo: HERE, done: 'jobDropped' };
  }
  await retryFailedJobs(deps, job);
  return { goTo: HERE, done: 'jobRetried' };
}

function countsPart({ counts }: JobReport, { jobs: say }: Words): Html {
  if (counts.length === 0) return html`<p>${say.none}</p>\n`;
  return table({
    caption: say.caption,
    columns: [{ name: say.kind }, ...JOB_STATES.map((state) => ({ name: say.states[state], n: true as const }))],
    rows: [...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, of]) => [
      html`<code>${kind}</code>`,
      ...JOB_STATES.map((state) => html`${of.find((one) => one.state === state)?.count ?? 0}`),
    ]),
  });
}

function failingPart({ failing }: JobReport, mayDecide: boolean, words: Words): Html {
  const { jobs: say } = words;
  if (failing.length === 0) return nothing;
  const list = table({
    caption: say.failing,
    columns: [{ name: say.key }, { name: say.since }, { name: say.why }, { name: say.next }],
    rows: failing.map((job) => [
      html`<code>${job.kind} ${job.key}</code>`,
      when(job.since, words),
      // What a service said may name a buyer.
      html`${say.attempts(job.attempts)}${mayDecide ? html`<br><span class="soft">${job.error}</span>` : nothing}`,
      html`${job.nextAt === null ? say.blocked : when(job.nextAt, words)}${mayDecide ? verbs(job, words) : nothing}`,
    ]),
  });
  return html`<h2>${say.failing}</h2>\n${list}`;
}

function verbs({ kind, key }: JobReport['failing'][number], { jobs: say }: Words): Html {
  const form = (content: Html) =>
    html` <form method="post" action="${HERE}"><input type="hidden" name="kind" value="${kind}"><input type="hidden" name="key" value="${key}">${content}</form>`;
  const retry = form(html`<button class="second" name="verb" value="retry">${say.retry}</button>`);
  if (!mayDrop({ kind, key })) return retry;
  const why = field({ name: 'why', id: `why-${kind}-${key}`, label: say.reason, required: true });
  return html`${retry}${form(html`${why}<button class="second" name="verb" value="drop">${say.drop}</button>`)}`;
}
