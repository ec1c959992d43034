import type { LoggedRequest } from '../../../bridge/ledger/connections/request-log.ts';
import type { Config } from '../../../config/config.ts';
import { type Dialect, embeddedDialect, sign } from '../../../contract/dialect.ts';
import { toWire } from '../../../contract/order-dto.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import { authors } from '../../../operations/activity/list-activity.ts';
import { dayRange } from '../../../operations/day-range.ts';
import { type DestinationReport, listDestinations, type QueueState, queueStates, requestsTo } from '../../../operations/destinations/destinations.ts';
import { may } from '../../../operations/people/rights.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { sofiaDay } from '../../../service/law/calendar.ts';
import { button, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, rowsBefore, table, tablePaging } from '../../../web/tables.ts';
import type { ConsoleDeps } from '../../base/console-deps.ts';
import type { Page, PageContext } from '../../base/page.ts';
import { dayChips } from '../../frame/chips.ts';
import { listAddress, live, type Tone, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { countedOn, serviceCharts } from '../count-charts.ts';
import { whoWords } from '../order/sentence.ts';
import { inAddress } from '../orders/order-list-request.ts';
import { destinationCard } from './destination.ts';

/** Compliance services of a page, and requests of each. */
const [SHOWN, REQUESTS] = [10, 20];
const QUEUES_MS = 1_000;

/** `GET /console/destinations`: where records are sent to, whether it works, and what was answered last. */
export const destinationsPage: Page = {
  path: '/destinations',
  right: 'stores.see',
  async get(context) {
    const { deps, words } = context;
    const [all, states] = await Promise.all([listDestinations(deps), statesOf(deps)]);
    const text = inAddress(context);
    const from = rowsBefore(text('n'));
    const reports = all.slice(from, from + SHOWN);
    const ids = reports.map(({ destinationId }) => destinationId);
    const days = dayRange({ from: text('from'), to: text('to') });
    const [requests, chartOf, counted] = await Promise.all([
      requestsTo(deps, reports, { limit: REQUESTS, days }),
      serviceCharts(context, ids),
      countedOn(deps, days, ids),
    ]);
    const chips = dayChips({ today: sofiaDay(deps.now().toISOString()), days, to: (chosen) => listAddress('destinations', chosen) }, words);
    const mayDecide = may(context.person.role, 'orders.decide');
    const people = await authors(deps);
    const names = (who: string) => whoWords({ who, name: people.get(who) }, words);
    const parts = reports.map((report) => {
      const { destinationId: id } = report;
      const { requests: say } = words.destinations;
      const count = counted === null ? nothing : html`<p><strong>${say.count(counted(id))}</strong></p>\n`;
      const log = live(`r-${id}`, html`${count}${requestTable(requests.get(id) ?? [], counted === null ? say.none : say.noneThen, words)}`);
      return html`${card(report, context, names)}${live(`c-${id}`, chartOf(id))}<h3>${say.title}</h3>\n${chips}${log}\n${dialect(report, context)}`;
    });
    const none = html`<p>${words.destinations.none}</p>\n`;
    const to = (place: Readonly<Record<string, string>>) => listAddress('destinations', { ...days, ...place });
    const pages = tablePaging({ from, count: all.length, size: SHOWN, to }, words);
    return {
      title: words.destinations.title,
      place: 'destinations',
      body: html`${all.length === 0 ? none : parts}${pages}${ratesLink(context)}${live('queues', queuesPart(states, mayDecide, words))}`,
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

/** The queues with their jobs; null: they do not answer. */
function queuesPart(states: readonly QueueState[] | null, mayDecide: boolean, words: Words): Html {
  const { queues: say } = words.destinations;
  if (states === null) return html`<h2>${say.title}</h2>\n<p class="problem">${say.away}</p>\n`;
  return html`<h2>${say.title}</h2>
${table({
  caption: say.caption,
  columns: [
    { name: say.name, cell: ({ name }) => html`<code>${name}</code>` },
    {
      name: say.state,
      cell: ({ name, isPaused }) =>
        html`${isPaused ? tag(say.paused, 'failing') : tag(say.running, 'ok')}${isPaused && mayDecide ? resume(name, say.resume) : nothing}`,
    },
    { name: say.waiting, n: true, cell: ({ jobs }) => jobs.waiting + jobs.prioritized },
    { name: say.active, n: true, cell: ({ jobs }) => jobs.active },
    { name: say.delayed, n: true, cell: ({ jobs }) => jobs.delayed },
    { name: say.failed, n: true, cell: ({ jobs }) => jobs.failed },
  ],
  rows: states,
})}${mayDecide ? html`<p><a href="/console/destinations/jobs">${words.jobs.title}</a></p>\n<p><a href="/console/destinations/events">${words.events.title}</a></p>\n` : nothing}`;
}

function resume(name: string, words: string): Html {
  return html` ${formTo('/console/destinations/queues', { hidden: { queue: name }, buttons: [button(words, { class: 'second' })] })}`;
}

/** The last requests to one compliance service, as the journal has them. */
function requestTable(requests: readonly LoggedRequest[], none: string, words: Words): Html {
  const { requests: say } = words.destinations;
  if (requests.length === 0) return html`<p class="soft">${none}</p>\n`;
  return table({ caption: say.title, columns: requestColumns(words), rows: requests });
}

function requestColumns(words: Words): Columns<LoggedRequest> {
  const { requests: say } = words.destinations;
  const kinds: Readonly<Record<string, string>> = say.kinds;
  const outcomes: Readonly<Record<string, string>> = say.outcomes;
  const said = (outcome: string | null) => (outcome === null ? say.open : (outcomes[outcome] ?? outcome));
  return [
    { name: say.at, cell: ({ at }) => when(at, words, 'second') },
    {
      name: say.order,
      cell: ({ orderRef, number, orderId, storeName }) =>
        html`<a href="/console/orders/${orderRef}">${number ?? orderId}</a> <span class="soft">${storeName}</span>`,
    },
    { name: say.what, cell: ({ kind }) => kinds[kind] ?? kind },
    { name: say.answer, cell: ({ status, outcome }) => tag(status === null ? said(outcome) : `${status} ${said(outcome)}`, toneOf(outcome)) },
    {
      name: say.took,
      n: true,
      cell: ({ ms, attempts }) =>
        html`${ms === null ? words.frame.none : say.ms(ms)}${attempts > 1 ? html` <span class="soft">${say.attempts(attempts)}</span>` : nothing}`,
    },
  ];
}

const good: readonly string[] = ['recorded', 'deleted', 'gone', 'receipt-got'];
const asks: readonly string[] = ['refused', 'conflict', 'receipt-refused', 'throttled'];

function toneOf(outcome: string | null): Tone {
  if (outcome === null) return 'quiet';
  if (good.includes(outcome)) return 'ok';
  return asks.includes(outcome) ? 'attention' : 'failing';
}

/** How requests are written, with an example without anybody's key. */
function dialectPart({ secret, text }: ExampleRequest, dialect: Dialect, { destinations: { dialect: say } }: Words): Html {
  const names = Object.entries(say.words);
  const values: Readonly<Record<string, string>> = dialect;
  return html`<details><summary>${say.title}</summary>
<dl class="facts">${lines(names.map(([key, name]) => html`<dt>${name}</dt><dd><code>${values[key] ?? ''}</code></dd>`))}</dl>
<p>${say.example(secret)}</p>
<pre>${text}</pre></details>
`;
}

const EXAMPLE_SECRET = 'example-secret';
const SHOP = '00000000-0000-4000-8000-000000000000';
const order: TaxRecord = {
  internalId: '1042',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-01T10:00:00Z',
  lineItems: [{ name: 'Тениска', quantity: 2, price: '12.90', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  paymentType: 'VIRTUAL_POS',
  paymentProcessorName: null,
  transactionId: 'pi_1042',
  currency: 'EUR',
  precision: 2,
};

/** The dialect in which a compliance service is spoken to. `address` null: our own. */
function dialectOf({ compliance }: Pick<Config, 'compliance'>, address: string | null): Dialect {
  return address === null || compliance.kind === 'embedded' ? embeddedDialect : compliance.dialect;
}

/** The secret that the example is signed with, and the request as it would be sent: of nobody's order, with nobody's key. */
type ExampleRequest = { secret: string; text: string };

function exampleRequest(address: string | null, dialect: Dialect): ExampleRequest {
  const sale = { record: order, customer: null, shopId: SHOP };
  const body = JSON.stringify(toWire(sale, dialect));
  const head = [
    `POST ${address ?? ''}/public-api/v1/order`,
    'x-api-key: …',
    `x-signature: ${sign(body, EXAMPLE_SECRET, dialect)}`,
    'idempotency-key: …',
    'content-type: application/json',
  ];
  return { secret: EXAMPLE_SECRET, text: [...head, '', body].join('\n') };
}
