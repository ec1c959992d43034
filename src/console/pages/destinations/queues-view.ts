import type { QueueState } from '../../../operations/health/queue-states.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { table, tag } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** The queues with their jobs; null: they do not answer. */
export function queuesPart(states: readonly QueueState[] | null, mayDecide: boolean, words: Words): Html {
  const { queues: say } = words.destinations;
  if (states === null) return html`<h2>${say.title}</h2>\n<p class="problem">${say.away}</p>\n`;
  return html`<h2>${say.title}</h2>
${table({
  caption: say.caption,
  columns: [{ name: say.name }, { name: say.state }, ...[say.waiting, say.active, say.delayed, say.failed].map((name) => ({ name, n: true as const }))],
  rows: states.map(({ name, isPaused, jobs: { waiting, prioritized, active, delayed, failed } }) => [
    html`<code>${name}</code>`,
    html`${isPaused ? tag(say.paused, 'failing') : tag(say.running, 'ok')}${isPaused && mayDecide ? resume(name, say.resume) : nothing}`,
    ...[waiting + prioritized, active, delayed, failed].map((count) => html`${count}`),
  ]),
})}`;
}

function resume(name: string, words: string): Html {
  return html` <form method="post" action="/console/destinations/queues"><input type="hidden" name="queue" value="${name}"><button>${words}</button></form>`;
}
