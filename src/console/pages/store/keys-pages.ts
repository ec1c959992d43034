import { knownConnection } from '../../../operations/connections/known-connection.ts';
import { changeAccess, requestedCredentials, requireLive } from '../../../operations/connections/reconnect-store.ts';
import { newSecret, rotateSecret, versionOfSecrets } from '../../../operations/connections/store-secrets.ts';
import { onboardingOf } from '../../../operations/onboarding/store.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { button, field, formTo, hidden, mustBeSeen, problemList, tick } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../base/page.ts';
import { when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { addressOf, leftUntil, type ShownStore, storeOf, wayBack } from './store-parts.ts';

/** `GET, POST /console/stores/ID/keys`: where a store's API is, and with which keys it is called. */
export const keysPage: Page = {
  path: '/stores/:id/keys',
  right: 'stores.change',
  get: async (context) => askPage(context, await storeOf(context), { url: null, problems: [] }),
  post: { right: 'stores.change', act: change, holdsSecrets: true, asksAgain: true },
};

/** `url` null: that of the store. */
type KeysForm = { url: string | null; problems: readonly string[] };

async function askPage({ deps, words }: PageContext, store: ShownStore, { url, problems }: KeysForm): Promise<ShownPage> {
  const { keys: say } = words.store;
  const connection = await knownConnection(deps.connections, store.connectionId);
  const asked = requestedCredentials(connection);
  const page = { status: problems.length === 0 ? 200 : 422, title: say.title(store.name), place: 'stores' as const };
  if (asked === null) return { ...page, body: html`${wayBack(store, words)}<p>${say.none}</p>\n` };
  const fields = asked.map(({ name, words: label, bg, isKept }) =>
    field({ name, type: 'password', label: words.lang === 'bg' ? bg : label, autocomplete: 'off', hint: isKept ? say.kept : undefined }),
  );
  const body = html`${field({ name: 'url', type: 'url', label: say.url, value: url ?? store.storeUrl ?? '', required: true, autocomplete: 'off' })}
${fields}
${problems.length === 0 ? nothing : tick({ name: 'anyway', label: say.anyway })}`;
  return {
    ...page,
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
${problemList(say.wrong, problems)}${formTo(`${addressOf(store)}/keys`, { seen: store.storeUrl, body, buttons: [button(say.change)] })}`,
  };
}

async function change(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { keys: say } = words.store;
  const connection = await knownConnection(deps.connections, store.connectionId);
  requireLive(connection);
  const url = form.text('url');
  mustBeSeen(form, store.storeUrl, { sent: say.was(url), now: say.was(store.storeUrl) });
  const credentials = Object.fromEntries((requestedCredentials(connection) ?? []).map(({ name }) => [name, form.text(name)]));
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

/** `GET, POST /console/stores/ID/secret`: the secret of a store's webhooks is changed in steps. */
export const secretPage: Page = {
  path: '/stores/:id/secret',
  right: 'stores.change',
  get: async (context) => askSecret(context, await storeOf(context), null),
  post: { right: 'stores.change', act: take, holdsSecrets: true, asksAgain: true },
};

async function askSecret({ deps, words }: PageContext, store: ShownStore, problem: string | null): Promise<ShownPage> {
  const { secret: say } = words.store;
  const canMake = newSecret(store.platform) !== null;
  const version = await versionOfSecrets(deps, store.connectionId);
  const fields = html`<h2>${say.one}</h2>\n${waysToSecret(canMake, problem, words)}\n${tick({ name: 'leaked', label: say.leaked })}`;
  return {
    status: problem === null ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
<p>${liveWords(store, deps.now(), words)}</p>
${formTo(`${addressOf(store)}/secret`, { seen: version, body: fields, buttons: [button(say.take)] })}<h2>${say.two}</h2>
<h2>${say.three}</h2>
`,
  };
}

function waysToSecret(canMake: boolean, problem: string | null, { store: { secret: say } }: Words): Html {
  const label = canMake ? say.pasteLabel : say.pasteOnly;
  const paste = field({ name: 'secret', type: 'password', label, hint: say.pasteHint, autocomplete: 'off', problem });
  if (!canMake) return html`${hidden('how', 'paste')}${paste}`;
  return html`${tick({ name: 'how', type: 'radio', value: 'make', label: say.make, isOn: true })}
${tick({ name: 'how', type: 'radio', value: 'paste', label: say.paste })}
${paste}`;
}

function liveWords(store: ShownStore, now: Date, words: Words): Html {
  const { secret: say } = words.store;
  const { oldSecretUntil: until } = store;
  return until === null ? html`${say.live}` : html`${say.overlap(leftUntil(until, now, words))} ${when(until, words)}`;
}

async function take(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const store = await storeOf(context);
  const { secret: say } = words.store;
  const pasted = form.text('secret');
  const made = pasted === '' && form.text('how') === 'make' ? newSecret(store.platform) : null;
  if (made === null && pasted === '') return askSecret(context, store, say.empty);
  mustBeSeen(form, await versionOfSecrets(deps, store.connectionId), { sent: say.take, now: liveText(store, context) });
  try {
    const { oldUntil } = await rotateSecret(deps, { id: store.connectionId, secret: made ?? pasted, revokeNow: form.text('leaked') === 'yes', by });
    return takenPage(store, { made, oldUntil, words });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'invalid') return askSecret(context, store, thrown.said[context.words.lang]);
    throw thrown;
  }
}

function liveText({ oldSecretUntil: until }: ShownStore, { deps, words }: PageContext): string {
  const { secret: say } = words.store;
  return until === null ? say.live : say.overlap(leftUntil(until, deps.now(), words));
}

/** Not behind a redirect: what is shown once is in no address and no place where it is kept. */
function takenPage(store: ShownStore, { made, oldUntil, words }: { made: string | null; oldUntil: string | null; words: Words }): ShownPage {
  const { secret: say } = words.store;
  const code = made === null ? undefined : onboardingOf(store.platform)?.connectionCode?.({ address: store.webhookUrl, secret: made });
  return {
    title: say.taken(store.name),
    place: 'stores',
    body: html`${made === null ? html`<p>${say.pasted}</p>` : html`<p><strong>${say.once}</strong></p>\n<pre class="secret">${made}</pre>`}
${code === undefined ? nothing : html`<p>${say.code}</p>\n<pre class="secret">${code}</pre>`}
<p>${say.two} ${oldUntil === null ? html`${say.oldEnded}` : html`${say.oldUntil} ${when(oldUntil, words)}`}</p>
<p class="verbs"><a class="verb" href="${addressOf(store)}">${say.done}</a></p>
`,
  };
}
