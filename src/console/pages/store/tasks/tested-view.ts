import type { TestedOrder } from '../../../../operations/tasks/task-result.ts';
import { problemWords } from '../../../../operations/words/problem-words.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { stateTag } from '../../orders/state-tag.ts';
import type { TaskView } from './task-parts.ts';

/** What became of a test order, and how its record is taken back. */
export function testedView({ hasService, words }: TaskView, { id, number, orderId, state, complianceId, why }: TestedOrder): Html {
  const { test: say } = words.tasks;
  const reason = why === null ? nothing : html`<p>${problemWords(why, words.lang)}</p>\n`;
  return html`<p>${stateTag(state, words)} <a href="/console/orders/${id}">${say.toOrder} ${number ?? orderId}</a></p>
${reason}${complianceId === null ? nothing : hasService ? html`<p>${say.back}</p>\n<p><a class="verb second" href="/console/records/${complianceId}">${say.toDelete}</a></p>\n` : html`<p>${say.backElsewhere(complianceId)}</p>\n`}`;
}
