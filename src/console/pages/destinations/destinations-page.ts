import { authors } from '../../../operations/activity/list-activity.ts';
import { dialectOf, exampleRequest } from '../../../operations/destinations/example-request.ts';
import { type DestinationReport, listDestinations, requestsTo } from '../../../operations/destinations/list-destinations.ts';
import { type QueueState, queueStates } from '../../../operations/health/queue-states.ts';
import { may } from '../../../operations/people/rights.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { ConsoleDeps } from '../../base/console-deps.ts';
import type { Page, PageContext } from '../../base/page.ts';
import { live } from '../../frame/parts.ts';
import { destinationCard } from './destination-view.ts';
import { queuesPart } from './queues-view.ts';
import { dialectPart, requestTable } from './requests-view.ts';

const REQUESTS = 20;
const QUEUES_MS = 1_000;

/** `GET /console/destinations`: where records are sent to, whether it works, and what was answered last. */
export const destinationsPage: Page = {
  path: '/destinations',
  right: 'stores.see',
  async get(context) {
    const { deps, words } = context;
    const [reports, states] = await Promise.all([listDestinations(deps), statesOf(deps)]);
    const requests = await requestsTo(deps, reports, REQUESTS);
    const mayDecide = may(context.person.role, 'orders.decide');
    const people = await authors(deps);
    const names = (actor: string) => people.get(actor) ?? actor;
    const parts = reports.map((report) => {
      const { destinationId: id } = report;
      const log = live(`r-${id}`, requestTable(requests.get(id) ?? [], words));
      return html`${card(report, context, names)}${log}\n${dialect(report, context)}`;
    });
    const none = html`<p>${words.destinations.none}</p>\n`;
    return {
      title: words.destinations.title,
      place: 'destinations',
      body: html`${reports.length === 0 ? none : parts}${ratesLink(context)}${live('queues', queuesPart(states, mayDecide, words))}`,
    };
  },
};

/** Our own service alone converts. */
function ratesLink({ deps, person, words }: PageContext): Html {
  if (deps.service === null || !may(person.role, 'settings.change')) return nothing;
  return html`<p><a class="verb second" href="/console/destinations/rates">${words.rates.link}</a></p>\n`;
}

function card(report: DestinationReport, { deps, words, person }: PageContext, names: (actor: string) => string): Html {
  return live(`d-${report.destinationId}`, destinationCard({ report, names, mayDecide: may(person.role, 'orders.decide'), now: deps.now(), words }));
}

function dialect({ address }: DestinationReport, { deps, words }: PageContext): Html {
  const spoken = dialectOf(deps.config, address);
  return dialectPart(exampleRequest(address, spoken), spoken, words);
}

/** Null: the queue does not answer. */
function statesOf({ queues }: ConsoleDeps): Promise<QueueState[] | null> {
  return withTimeout(QUEUES_MS, queueStates(queues)).catch(() => null);
}
