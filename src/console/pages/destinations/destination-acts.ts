import { listDestinations } from '../../../operations/destinations/list-destinations.ts';
import { probeDestination } from '../../../operations/destinations/probe-destination.ts';
import { resumeDestination } from '../../../operations/destinations/resume-destination.ts';
import { resumeQueue } from '../../../operations/health/queue-states.ts';
import { Refusal } from '../../../operations/refusal.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { pauseLines, shownPauses } from './destination-view.ts';

const HERE = '/console/destinations';

/** `POST /console/destinations/probe` */
export const probePage: Page = {
  path: '/destinations/probe',
  right: 'stores.see',
  post: { right: 'orders.decide', act: probe },
};

async function probe({ deps, by }: PageContext, form: Form): Promise<Reply> {
  const { pool, destinations, client, records } = deps;
  const probed = await probeDestination(
    { pool, destinations, client, compliance: records.compliance, probe: (scope) => deps.probe(scope) },
    { named: named(form), by },
  );
  return { goTo: HERE, done: probed.works ? 'destinationWorks' : 'destinationFails' };
}

/** `POST /console/destinations/resume` */
export const resumePage: Page = {
  path: '/destinations/resume',
  right: 'stores.see',
  post: { right: 'orders.decide', act: resume },
};

async function resume({ deps, words, by }: PageContext, form: Form): Promise<Reply> {
  const destination = named(form);
  const found = (await listDestinations(deps)).find(({ destinationId }) => destinationId === destination);
  const now = found?.pauses ?? [];
  const shop = form.text('shop');
  const sent = shop === '' ? words.destinations.resume : words.destinations.pauses.resume;
  mustBeSeen(form, shownPauses(now), { sent, now: pauseLines(now, words) || words.destinations.working });
  await resumeDestination(deps, { named: destination, by, ...(shop === '' ? {} : { shop }) });
  return { goTo: HERE, done: 'destinationResumed' };
}

/** `POST /console/destinations/queues` */
export const resumeQueuePage: Page = {
  path: '/destinations/queues',
  right: 'stores.see',
  post: {
    right: 'orders.decide',
    async act({ deps, by }, form) {
      const wasPaused = await resumeQueue({ ...deps, by }, form.text('queue'));
      return { goTo: HERE, done: wasPaused ? 'queueResumed' : 'queueRan' };
    },
  },
};

/** A form names one; without a name an operation would take the only one. */
function named(form: Form): string {
  const id = form.text('destination');
  if (id === '') throw new Refusal('invalid', { en: 'the form names no compliance service', bg: 'формулярът не посочва услуга за отчитане' });
  return id;
}
