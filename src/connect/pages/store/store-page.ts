import type { StoreProblem } from '../../../bridge/storefronts/onboarding.ts';
import type { Form } from '../../../console/base/page.ts';
import { offeredApps } from '../../../operations/apps/apps.ts';
import { chooseOwnShop, findStore, type PlatformToConnect, platformsToConnect } from '../../../operations/onboarding/find-store.ts';
import { foundStore, nameOf, type StoreAtAddress, storeProgress } from '../../../operations/onboarding/store.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../../base/connect-page.ts';
import { tooOften } from '../../base/inspection-limit.ts';
import { problemView, versionView } from './inspection-views.ts';

/** `GET, POST /connect/{token}/store`: which store it is; an address is looked at, a shop of one's own has a name. */
export const storePage: ConnectPage = {
  path: '/store',
  of: 'store',
  get: async (context) => reply(context, handedAlong(context)),
  post: async (context, form) => (form.text('kind') === 'own' ? takeOwn(context, form) : takeAddress(context, form)),
};

type StoreForm = { typed?: string; platform?: string; problem?: StoreProblem; noName?: true };

const LONGEST = 500;

/** The address that a store's own module hands along, `?platform=…&address=…`, so that nobody types it. */
function handedAlong({ req: { query } }: ConnectContext): StoreForm {
  const { platform, address } = query;
  if (typeof platform !== 'string' || typeof address !== 'string') return {};
  return { platform, typed: address.slice(0, LONGEST) };
}

async function reply(context: ConnectContext, asked: StoreForm): Promise<ConnectReply> {
  return context.onboarding.connectionId === null ? askPage(context, asked) : connectedPage(context);
}

function askPage(context: ConnectContext, { typed, platform = '', problem, noName }: StoreForm): ConnectReply {
  const { onboarding, words, base } = context;
  const { store: say } = words;
  const found = storeProgress(onboarding);
  const chosenOf = typed === undefined ? onboarding.platform : platform;
  const value = typed ?? (found?.kind === 'address' ? found.typed : '');
  const cards = platformsToConnect().map((one) =>
    one.kind === 'address' ? addressCard(context, one, one.platform === chosenOf ? { value, problem } : { value: '' }) : ownCard(context, { ...one, noName }),
  );
  const chosen = found === null ? nothing : html`<p class="chosen">${say.chosen(nameOf(found))} <a href="${base}/store/found">${words.steps.next}</a></p>\n`;
  return {
    status: problem === undefined && noName === undefined ? 200 : 422,
    title: say.title,
    body: html`<p>${say.intro}</p>
${problem === undefined ? chosen : problemView(words, { title: say.wrongTitle(typed ?? ''), platform, problem })}${lines(cards)}`,
  };
}

type Card = PlatformToConnect;
/** What was typed as its address, and what is wrong with that. */
type Given = { value: string; problem?: StoreProblem | undefined };

function addressCard({ words: { store: say, lang }, base }: ConnectContext, { platform, title, hint }: Card, { value, problem }: Given): Html {
  const { heading, label, verb, ...usual } = say.address;
  const body = field({
    ...{ name: 'address', id: `address-${platform}`, label, hint: hint?.[lang] ?? usual.hint, value },
    ...{ required: true, autocomplete: 'url', problem: problem === undefined ? null : say.problem[problem.code].what },
  });
  return html`<section class="card"><h2>${heading(title)}</h2>
${formTo(`${base}/store`, { hidden: { kind: 'address', platform }, body, buttons: [button(verb)] })}</section>
`;
}

function ownCard({ words: { store: say }, base }: ConnectContext, { platform, noName }: Card & { noName: true | undefined }): Html {
  const problem = noName === undefined ? null : say.own.noName;
  const body = field({ name: 'name', label: say.own.label, required: true, autocomplete: 'organization', problem });
  return html`<section class="card"><h2>${say.own.heading}</h2>
<p>${say.own.body}</p>
${formTo(`${base}/store`, { hidden: { kind: 'own', platform }, body, buttons: [button(say.own.verb)] })}</section>
`;
}

async function takeAddress(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base, by } = context;
  const typed = form.text('address');
  const platform = form.text('platform');
  const often = tooOften(context);
  if (often !== null) return often;
  const inspected = await findStore(deps, onboarding, { platform, typed, by });
  return inspected.ok ? { goTo: `${base}/store/found` } : reply(context, { typed, platform, problem: inspected.problem });
}

async function takeOwn(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, by } = context;
  const isTaken = await chooseOwnShop(deps, onboarding, { platform: form.text('platform'), name: form.text('name'), by });
  return isTaken ? { goTo: afterStore(context) } : reply(context, { noName: true });
}

async function connectedPage(context: ConnectContext): Promise<ConnectReply> {
  const { onboarding, words, base, scope } = context;
  const { store: say } = words;
  const found = storeProgress(onboarding);
  const keys = found?.kind === 'address' ? keysView(context, { store: found, app: await approvedApp(context) }) : nothing;
  const on = scope.kind === 'all' ? html`<p class="verbs"><a class="verb" href="${base}">${words.steps.next}</a></p>\n` : nothing;
  return {
    title: found === null ? say.title : nameOf(found),
    body: html`${keys}<p>${say.isConnected}</p>\n${found?.kind === 'address' ? versionView(words, found.version) : nothing}${on}`,
  };
}

/** The app by which the store is connected, if it can be approved again; null: its keys came otherwise. */
async function approvedApp({ deps, onboarding }: ConnectContext): Promise<string | null> {
  const found = foundStore(onboarding);
  if (found === null || deps.config.publicUrl === null) return null;
  return (await offeredApps(deps, onboarding)).find(({ id }) => id === found.app)?.id ?? null;
}

/** How a store that no longer lets us in is mended: what a link to this step alone was sent for. */
function keysView({ words: { store: say }, base, req, scope }: ConnectContext, { store, app }: { store: StoreAtAddress; app: string | null }): Html {
  if (req.query['keys'] === 'new') return html`<p role="status"><span class="tag ok">✓</span> ${app === null ? say.renewed : say.approvedAgain}</p>\n`;
  if (app === null) return html`<p><a href="${base}/store/found">${say.newKeys}</a></p>\n`;
  return html`<p>${say.approveAgain}</p>
<p class="verbs"><a class="verb${scope.kind === 'all' ? ' second' : ''}" href="${base}/store/go?app=${app}">${say.found.verb(new URL(store.url).host)}</a></p>
`;
}

/** The step after this one: the company, unless the invitation says whose shop it is. */
export function afterStore({ onboarding, base }: Pick<ConnectContext, 'onboarding' | 'base'>): string {
  return `${base}/${onboarding.done.includes('company') ? 'webhooks' : 'company'}`;
}
