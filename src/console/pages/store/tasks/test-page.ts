import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { beginTest } from '../../../../operations/tasks/begin-test.ts';
import { html } from '../../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../../base/page.ts';
import { seen } from '../../../frame/parts.ts';
import { mustBeSeen } from '../../../frame/stale.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';

/** `GET, POST /console/stores/ID/test`: a test order, sent as the store would send it. */
export const testPage: Page = {
  path: '/stores/:id/test',
  right: 'orders.decide',
  async get(context) {
    const { words } = context;
    const store = await storeOf(context);
    const { test: say } = words.tasks;
    const form = html`<p>${say.intro(store.shop)}</p>
<form method="post" action="${addressOf(store)}/test">${seen(stateOf(store))}<p class="verbs"><button class="danger">${say.do}</button></p></form>
`;
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

async function send(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { test: say } = words.tasks;
  mustBeSeen(form, stateOf(store), { sent: say.do, now: say.stateNow(store.name, store.shop) });
  const { pool, connections, stop, stores } = deps;
  const work = { pool, connections, stop, background: (going: Promise<unknown>) => deps.background(going), receiver: () => stores.receiver() };
  const task = await beginTest(work, { id: store.connectionId, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}
