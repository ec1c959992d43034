import type { LoggedRequest } from '../../../bridge/ledger/request-log.ts';
import type { Dialect } from '../../../contract/dialect.ts';
import type { ExampleRequest } from '../../../operations/destinations/example-request.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { type Tone, table, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** The last requests to one compliance service, as the journal has them. */
export function requestTable(requests: readonly LoggedRequest[], words: Words): Html {
  const { requests: say } = words.destinations;
  if (requests.length === 0) return html`<h3>${say.title}</h3>\n<p class="soft">${say.none}</p>\n`;
  return html`<h3>${say.title}</h3>
${table({
  caption: say.title,
  columns: [{ name: say.at }, { name: say.order }, { name: say.what }, { name: say.answer }, { name: say.took, n: true }],
  rows: requests.map((request) => row(request, words)),
})}`;
}

function row({ at, orderRef, number, orderId, storeName, kind, outcome, status, ms, attempts }: LoggedRequest, words: Words): Html[] {
  const { requests: say } = words.destinations;
  const kinds: Readonly<Record<string, string>> = say.kinds;
  const outcomes: Readonly<Record<string, string>> = say.outcomes;
  const said = outcome === null ? say.open : (outcomes[outcome] ?? outcome);
  return [
    when(at, words),
    html`<a href="/console/orders/${orderRef}">${number ?? orderId}</a> <span class="soft">${storeName}</span>`,
    html`${kinds[kind] ?? kind}`,
    html`${tag(status === null ? said : `${status} ${said}`, toneOf(outcome))}`,
    html`${ms === null ? words.frame.none : say.ms(ms)}${attempts > 1 ? html` <span class="soft">${say.attempts(attempts)}</span>` : nothing}`,
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
export function dialectPart({ secret, text }: ExampleRequest, dialect: Dialect, { destinations: { dialect: say } }: Words): Html {
  const names = Object.entries(say.words);
  const values: Readonly<Record<string, string>> = dialect;
  return html`<details><summary>${say.title}</summary>
<dl class="facts">${lines(names.map(([key, name]) => html`<dt>${name}</dt><dd><code>${values[key] ?? ''}</code></dd>`))}</dl>
<p>${say.example(secret)}</p>
<pre>${text}</pre></details>
`;
}
