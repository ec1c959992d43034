import { disconnectStore } from '../../../operations/connections/disconnect-store.ts';
import { button, field, formTo, mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from './store-parts.ts';

/** `GET, POST /console/stores/ID/disconnect`: by typing its name. */
export const disconnectPage: Page = {
  path: '/stores/:id/disconnect',
  right: 'stores.change',
  get: async (context) => askPage(context.words, await storeOf(context), null),
  post: { right: 'stores.change', act: disconnect, asksAgain: true },
};

function askPage(words: Words, store: ShownStore, wrong: { typed: string; why: string } | null): ShownPage {
  const { disconnect: say } = words.store;
  const name = { value: wrong?.typed ?? '', problem: wrong === null ? null : say.differs };
  const fields = html`${field({ name: 'name', label: say.type(store.name), required: true, autocomplete: 'off', ...name })}
${field({ name: 'why', label: say.why, value: wrong?.why ?? '' })}`;
  return {
    status: wrong === null ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
${stillOpen(store, words)}${formTo(`${addressOf(store)}/disconnect`, { seen: stateOf(store), body: fields, buttons: [button(say.do, { class: 'danger' })] })}`,
  };
}

function stillOpen({ open: { pending, review, unconfirmed } }: ShownStore, { store: { health: say } }: Words): Html {
  const waiting = review + unconfirmed;
  const left = [...(pending === 0 ? [] : [say.pending(pending)]), ...(waiting === 0 ? [] : [say.waiting(waiting)])];
  return html`<h2>${say.stillOpen}</h2>
<ul>${lines((left.length === 0 ? [say.nothingOpen] : left).map((words) => html`<li>${words}</li>`))}</ul>
`;
}

function stateOf({ state, name, disconnectedAt }: ShownStore): unknown {
  return [state, name, disconnectedAt];
}

async function disconnect({ deps, words, by, ...context }: PageContext, form: Form): Promise<PageReply> {
  const store = await storeOf({ deps, words, by, ...context });
  const { disconnect: say } = words.store;
  const now = store.disconnectedAt === null ? store.name : say.already(store.disconnectedAt);
  mustBeSeen(form, stateOf(store), { sent: say.do, now });
  const [typed, why] = [form.text('name'), form.text('why')];
  if (typed !== store.name.trim()) return askPage(words, store, { typed, why });
  await disconnectStore(deps, { id: store.connectionId, by, ...(why === '' ? {} : { why }) });
  return { goTo: addressOf(store), done: 'storeDisconnected' };
}
