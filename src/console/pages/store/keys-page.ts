import { askedCredentials, changeAccess } from '../../../operations/connections/change-access.ts';
import { knownConnection } from '../../../operations/connections/known-connection.ts';
import { requireLive } from '../../../operations/connections/reconnect-store.ts';
import type { ShownStore } from '../../../operations/connections/stores.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { field, seen } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { addressOf, storeOf, wayBack } from './store-parts.ts';

/** `GET, POST /console/stores/ID/keys`: where a store's API is, and with which keys it is called. */
export const keysPage: Page = {
  path: '/stores/:id/keys',
  right: 'stores.change',
  get: async (context) => askPage(context, await storeOf(context), { url: null, problems: [] }),
  post: { right: 'stores.change', act: change, holdsSecrets: true },
};

/** `url` null: that of the store. */
type KeysForm = { url: string | null; problems: readonly string[] };

async function askPage({ deps, words }: PageContext, store: ShownStore, { url, problems }: KeysForm): Promise<Shown> {
  const { keys: say } = words.store;
  const connection = await knownConnection(deps.connections, store.connectionId);
  const asked = askedCredentials(connection);
  const page = { status: problems.length === 0 ? 200 : 422, title: say.title(store.name), place: 'stores' as const };
  if (asked === null) return { ...page, body: html`${wayBack(store, words)}<p>${say.none}</p>\n` };
  const fields = asked.map(({ name, words: label, bg, isKept }) =>
    field({ name, type: 'password', label: words.lang === 'bg' ? bg : label, autocomplete: 'off', ...(isKept ? { hint: say.kept } : {}) }),
  );
  return {
    ...page,
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
${wrong(problems, say.wrong)}<form method="post" action="${addressOf(store)}/keys">${seen(store.storeUrl)}
${field({ name: 'url', type: 'url', label: say.url, value: url ?? store.storeUrl ?? '', required: true, autocomplete: 'off' })}
${fields}
${problems.length === 0 ? nothing : html`<p><label><input type="checkbox" name="anyway" value="yes"> ${say.anyway}</label></p>`}
<p class="verbs"><button>${say.change}</button></p>
</form>
`,
  };
}

function wrong(problems: readonly string[], words: string): Html {
  if (problems.length === 0) return nothing;
  return html`<div class="banner failing" role="alert"><h2>${words}</h2><ul>${lines(problems.map((problem) => html`<li>${problem}</li>`))}</ul></div>
`;
}

async function change(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { keys: say } = words.store;
  const connection = await knownConnection(deps.connections, store.connectionId);
  requireLive(connection);
  const url = form.text('url');
  mustBeSeen(form, store.storeUrl, { sent: say.was(url), now: say.was(store.storeUrl) });
  const credentials = Object.fromEntries((askedCredentials(connection) ?? []).map(({ name }) => [name, form.text(name)]));
  const { pool, connections, notify, config, stores } = deps;
  const compliance = { destination: async () => connection.destinationId };
  const given = { pool, connections, notify, compliance, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts, by };
  try {
    const { problems, changed } = await changeAccess(given, connection, { url, credentials, anyway: form.text('anyway') === 'yes' });
    if (changed === null) return askPage(context, store, { url, problems });
    return { goTo: addressOf(store), done: problems.length === 0 ? 'keysChanged' : 'keysChangedAnyway' };
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'invalid') return askPage(context, store, { url, problems: [thrown.said[words.lang]] });
    throw thrown;
  }
}
