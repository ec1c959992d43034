import { askForOrder } from '../../../operations/reconciliation/ask-for-order.ts';
import { html } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { listAddress, visibleStores } from './orders-asked.ts';

/** `POST /console/orders/ask`: a store is asked for an order that no webhook told of. */
export const askStorePage: Page = { path: '/orders/ask', right: 'orders.see', post: { right: 'orders.decide', act: ask } };

async function ask(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const { ask: say } = words.orders;
  const q = form.text('q').slice(0, 200);
  const store = (await visibleStores(context)).find(({ id }) => id === form.text('store'));
  const back = listAddress({ q });
  if (q === '' || store === undefined) return { goTo: back };
  const answer = await askForOrder({ ...deps.stores.reading, pool: deps.pool, connections: deps.connections }, { connection: store.id, said: q, by });
  if (answer.is === 'found') {
    return answer.id === null
      ? { goTo: listAddress({ q: answer.orderId }), done: 'order-coming' }
      : { goTo: `/console/orders/${answer.id}`, done: 'order-fetched' };
  }
  return {
    ...{ status: 404, title: say.noneTitle, place: 'orders' },
    body: html`<p role="status">${say.none(store.name, q, answer.days)}</p><p><a href="${back}">${words.frame.problem.back}</a></p>`,
  };
}
