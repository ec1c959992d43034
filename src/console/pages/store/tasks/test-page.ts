import { beginTest, type TestedOrder } from '../../../../operations/tasks/begin-task.ts';
import { button, formTo, mustBeSeen } from '../../../../web/forms.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import type { Form, Page, PageContext, PageReply } from '../../../base/page.ts';
import { problemText } from '../../../frame/parts.ts';
import { stateTag } from '../../orders/order-label.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from '../store-parts.ts';
import type { TaskView } from './tasks-part.ts';

/** `GET, POST /console/stores/ID/test`: a test order, sent as the store would send it. */
export const testPage: Page = {
  path: '/stores/:id/test',
  right: 'orders.decide',
  async get(context) {
    const { words } = context;
    const store = await storeOf(context);
    const { test: say } = words.tasks;
    const form = html`<p>${say.intro(store.name)}</p>
${formTo(`${addressOf(store)}/test`, { seen: stateOf(store), body: nothing, buttons: [button(say.do, { class: 'danger' })] })}`;
    const isOpen = store.state === 'connected';
    return {
      title: say.title(store.name),
      place: 'stores',
      body: html`${wayBack(store, words)}${!isOpen ? html`<p>${say.closed}</p>\n` : store.api.sendsTests ? form : html`<p>${say.none}</p>\n`}`,
    };
  },
  post: { right: 'orders.decide', act: send },
};

/** What the order would become a record of. */
function stateOf({ name, shop, state }: ShownStore): unknown {
  return [name, shop, state];
}

async function send(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { test: say } = words.tasks;
  mustBeSeen(form, stateOf(store), { sent: say.do, now: store.name });
  const task = await beginTest({ ...deps, receiver: () => deps.stores.receiver() }, { id: store.connectionId, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}

/** What became of a test order, and how its record is taken back. */
export function testedView({ hasService, words }: TaskView, { id, number, orderId, state, complianceId, why }: TestedOrder): Html {
  const { test: say } = words.tasks;
  const reason = why === null ? nothing : html`<p>${problemText(why, words.lang)}</p>\n`;
  return html`<p>${stateTag(state, words)} <a href="/console/orders/${id}">${say.toOrder} ${number ?? orderId}</a></p>
${reason}${complianceId === null ? nothing : hasService ? html`<p>${say.back}</p>\n<p><a class="verb second" href="/console/records/${complianceId}">${say.toDelete}</a></p>\n` : html`<p>${say.backElsewhere(complianceId)}</p>\n`}`;
}
