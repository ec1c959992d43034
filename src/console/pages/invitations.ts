import { emailAddress } from '../../contract/email-address.ts';
import { isUuid } from '../../contract/uuid.ts';
import { allGrantableApps } from '../../operations/apps/apps.ts';
import { decideCompany, nothingWaits } from '../../operations/onboarding/confirm-company.ts';
import {
  endLinksOf,
  type Invitation,
  inviteMerchant,
  knownInvitation,
  listInvitations,
  renewInvitation,
  revokeInvitation,
} from '../../operations/onboarding/invitations.ts';
import { canMail, invitationMail } from '../../operations/onboarding/merchant-mail.ts';
import { connectAddress } from '../../operations/onboarding/onboarding.ts';
import { isTypedUic, plainUic } from '../../operations/onboarding/own-company.ts';
import { type NamedShop, namedShops } from '../../operations/people/people.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import { button, field, formTo, mustBeSeen } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { type Columns, listPaging, PAGE, table } from '../../web/tables.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply, type ShownPage } from '../base/page.ts';
import { chips } from '../frame/chips.ts';
import { copyable, listAddress, namedOptions, type Tone, tag, when } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { inAddress } from './orders/order-list-request.ts';

const LIST = 'stores/invitations';

const tones: Readonly<Record<Invitation['state'], Tone>> = { open: 'attention', expired: 'quiet', revoked: 'quiet', started: 'ok' };

/** `/console/stores/invitations`: who may connect a store by a link; an owner invites others. */
export const invitationsPage: Page = {
  path: '/stores/invitations',
  right: 'stores.change',
  get: (context) => shown(context, null),
  post: { right: 'stores.change', act: invite },
};

async function invite(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, by } = context;
  const typed = { email: form.text('email'), shop: form.text('shop'), company: form.text('company'), app: form.text('app'), lang: form.text('lang') };
  const wrong = [
    ...(typed.email !== '' && !emailAddress.safeParse(typed.email).success ? (['email'] as const) : []),
    ...(typed.company !== '' && !isTypedUic(typed.company) ? (['company'] as const) : []),
  ];
  if (wrong.length > 0) return { ...(await shown(context, { ...typed, wrong })), status: 422 };
  const lang = typed.lang === 'bg' || typed.lang === 'en' ? typed.lang : null;
  const email = typed.email === '' ? null : typed.email;
  const shopId = typed.shop === '' ? null : typed.shop;
  // Of a shop that is given the company is known.
  const company = shopId !== null || typed.company === '' ? null : plainUic(typed.company);
  const { id, token, others } = await inviteMerchant(deps, { email, shopId, company, app: typed.app === '' ? null : typed.app, lang, by });
  return handOver(context, { id, email, lang, token }, others);
}

/** The link, shown once, and mailed if there is a mail server. It is in no address of a page. */
async function handOver(
  { deps, words }: PageContext,
  { id, email, lang, token }: Pick<Invitation, 'id' | 'email' | 'lang'> & { token: string },
  others: readonly string[] = [],
): Promise<ShownPage> {
  const base = await deps.stores.base();
  const url = connectAddress(base, token);
  const mail = email !== null && canMail(deps) ? await invitationMail({ pool: deps.pool, base }, { id, lang, to: email }, token) : null;
  const isMailed = mail !== null;
  if (isMailed) deps.entry.post?.(async () => mail);
  const { invitations: say } = words;
  return {
    title: say.linkTitle,
    place: 'stores',
    body: html`<p role="status">${isMailed ? say.linkMailed : say.link}</p>
<p class="link">${copyable(url)}</p>
${others.length === 0 ? nothing : html`<p class="notice">${say.others(others.join(', '))}</p>\n`}<p><a href="/console/stores/invitations">${say.back}</a></p>`,
  };
}

async function shown(context: PageContext, tried: Inviting | null): Promise<ShownPage> {
  const { deps, words } = context;
  const text = inAddress(context);
  const state = text('state');
  const [list, shops, apps] = await Promise.all([listOf(context, state), freeShops(context), allGrantableApps(deps)]);
  const body = invitationsView({ words, list, shops, apps: apps.map(({ id }) => id), isOurs: deps.service !== null, canMail: canMail(deps), tried });
  return { title: words.invitations.title, place: 'stores', body };
}

/** A page of them: after the one that the address names, or before it. */
async function listOf({ deps, words, ...context }: PageContext, state: string): Promise<View['list']> {
  const text = inAddress(context);
  const isBack = isUuid(text('before'));
  const id = text(isBack ? 'before' : 'after');
  const beyond = isUuid(id) ? { id, isNewer: isBack } : null;
  const found = await listInvitations(deps, { beyond, state: state === '' ? null : state, limit: PAGE + 1 });
  const isMore = found.length > PAGE;
  const nearest = found.slice(0, PAGE);
  const invitations = isBack ? nearest.toReversed() : nearest;
  const [first, last] = [invitations[0], invitations.at(-1)];
  const next = (isMore || isBack) && last !== undefined ? { after: last.id } : null;
  const isFirst = isBack ? !isMore : beyond === null;
  // From beyond the end there is only the way to the first ones.
  const previous = isFirst ? null : first === undefined ? {} : { before: first.id };
  const pages = listPaging({ next, previous, at: null, to: (place) => listAddress(LIST, { state, ...place }) }, words);
  return { invitations, state, isFurther: beyond !== null, pages };
}

/** A shop has one store. */
async function freeShops({ deps }: PageContext): Promise<NamedShop[]> {
  const [shops, connections] = await Promise.all([namedShops(deps), deps.connections.list()]);
  const taken = new Set(connections.flatMap(({ shopId, closedAt }) => (closedAt === null ? [shopId] : [])));
  return shops.filter(({ id }) => !taken.has(id));
}

/** Each in a form of its own, at an address of its own. */
export const invitationVerbs: readonly Page[] = [
  verb('link', async (context, { id }) => {
    const { token, invitation } = await renewInvitation(context.deps, { id, by: context.by });
    return handOver(context, { ...invitation, token });
  }),
  verb('end-status', async ({ deps, by }, { id }) => {
    await endLinksOf(deps, { id, scopes: ['status'], by });
    return { goTo: '/console/stores/invitations', done: 'link-ended' };
  }),
  decision('confirm'),
  decision('refuse'),
  verb('revoke', async ({ deps, by }, { id }) => {
    await revokeInvitation(deps, { id, by });
    return { goTo: '/console/stores/invitations', done: 'invitation-revoked' };
  }),
];

/** Whether the company for which a merchant waits is theirs; of what they say by now, and who else has it, as it was seen. */
function decision(name: 'confirm' | 'refuse'): Page {
  const act = async ({ deps, by }: PageContext, { id, waits }: Invitation): Promise<PageReply> => {
    if (waits === null) throw nothingWaits();
    await decideCompany(deps, { id, company: waits.company, isTheirs: name === 'confirm', by });
    return { goTo: '/console/stores/invitations', done: name === 'confirm' ? 'company-confirmed' : 'company-refused' };
  };
  return verb(name, act, ({ waits }) => waits);
}

type Act = (context: PageContext, invitation: Invitation) => Promise<PageReply>;

/** `seenOf`: what the form was made from. */
function verb(name: string, act: Act, seenOf: (invitation: Invitation) => unknown = stateOf): Page {
  return {
    path: `/stores/invitations/:id/${name}`,
    right: 'stores.change',
    post: {
      right: 'stores.change',
      async act(context, form) {
        const invitation = await knownInvitation(context.deps, idOf(context));
        const { states } = context.words.invitations;
        mustBeSeen(form, seenOf(invitation), { sent: context.words.invitations.link, now: `${states[invitation.state]}; ${invitation.links.length}` });
        return act(context, invitation);
      },
    },
  };
}

/** What an owner typed of a merchant. */
type Inviting = { email: string; shop: string; company: string; app: string; lang: string; wrong: readonly ('email' | 'company')[] };

type View = {
  words: Words;
  /** `state`: of those that are listed; '': all. `isFurther`: they are not the first page. `pages`: the ways to other ones. */
  list: { invitations: readonly Invitation[]; state: string; isFurther: boolean; pages: Html };
  /** Without a live connection. */
  shops: readonly NamedShop[];
  /** Those that merchants approve at their stores. */
  apps: readonly string[];
  /** Is the compliance service ours, so that all of its shops are known? */
  isOurs: boolean;
  canMail: boolean;
  tried: Inviting | null;
};

function invitationsView({ list: { invitations, state, isFurther, pages }, ...form }: View): Html {
  const { words } = form;
  const chip = (of: string, name: string) => ({ to: listAddress(LIST, { state: of }), name, isOn: of === state });
  const { invitations: say, store } = words;
  return html`<p><a href="/console/stores">${store.back}</a></p>
<p class="soft">${say.intro}</p>
${inviteForm(form)}
<h2>${say.list}</h2>
${chips([chip('', words.orders.all), ...Object.entries(say.filters).map(([of, name]) => chip(of, name))])}${invitations.length === 0 ? html`<p>${isFurther ? say.noneFurther : state === '' ? say.none : say.noneSo}</p>` : invitationTable(invitations, words)}${pages.markup === '' ? nothing : html`\n<p class="verbs">${pages}</p>`}`;
}

function inviteForm({ words: { invitations: say }, shops, apps, isOurs, canMail, tried }: Omit<View, 'list'>): Html {
  const { email, shop, company, app, lang, wrong } = tried ?? { email: '', shop: '', company: '', app: '', lang: '', wrong: [] };
  const problem = (name: 'email' | 'company', words: string) => (wrong.includes(name) ? words : null);
  const ofShop = isOurs ? { none: say.shopNew, options: namedOptions(shops) } : { hint: say.shopNew, autocomplete: 'off' };
  const fields = [
    field({
      ...{ name: 'email', label: say.email, type: 'email', value: email, hint: canMail ? say.emailHintMail : say.emailHint, autocomplete: 'off' },
      problem: problem('email', say.emailWrong),
    }),
    field({ name: 'shop', label: say.shop, value: shop, ...ofShop }),
    field({
      ...{ name: 'company', label: say.company, value: company, hint: say.companyHint, autocomplete: 'off' },
      problem: problem('company', say.companyWrong),
    }),
    ...(apps.length === 0 ? [] : [field({ name: 'app', label: say.app, value: app, none: say.appNone, options: apps.map((id) => [id, id] as const) })]),
    field({ name: 'lang', label: say.lang, value: lang, options: say.langs }),
  ];
  return formTo('/console/stores/invitations', { body: lines(fields), buttons: [button(say.make)] });
}

function invitationTable(invitations: readonly Invitation[], words: Words): Html {
  const { columns, title } = words.invitations;
  const shown: Columns<Invitation> = [
    { name: columns.who, cell: (one) => whose(one, words) },
    { name: columns.state, cell: (one) => state(one, words) },
    { name: columns.steps, cell: (one) => steps(one, words) },
    { name: columns.links, cell: (one) => links(one, words) },
    { name: columns.made, cell: ({ createdAt }) => when(createdAt, words, 'dated') },
  ];
  return table({ caption: title, columns: shown, rows: invitations });
}

function whose(one: Invitation, { invitations: say }: Words): Html {
  const { email, who, connectionId } = one;
  const store = connectionId === null ? nothing : html`<br><a href="/console/stores/${connectionId}">${say.toStore}</a>`;
  return html`${email ?? (who === PROGRAM ? say.uninvited : say.unnamed)}${store}${companyWaits(one, say)}`;
}

/** The company that they say is theirs, who else has it, and what an owner says to that. */
function companyWaits({ id, waits }: Invitation, say: Words['invitations']): Html {
  if (waits === null) return nothing;
  const { company, name, others } = waits;
  const verb = (is: 'confirm' | 'refuse') =>
    formTo(`/console/stores/invitations/${id}/${is}`, { class: 'verbs', seen: waits, buttons: [button(say[is], { class: 'second' })] });
  return html`<p class="notice">${say.waits(company, name ?? '')}${others.length === 0 ? nothing : html`<br><strong>${say.others(others.join(', '))}</strong>`}</p>${verb('confirm')}${verb('refuse')}`;
}

function state({ state: is, expiresAt }: Invitation, words: Words): Html {
  const name = tag(words.invitations.states[is], tones[is]);
  return is === 'open' ? html`${name} ${when(expiresAt, words, 'dated')}` : name;
}

function steps({ done }: Invitation, { invitations: say }: Words): Html {
  const names: Readonly<Record<string, string>> = say.steps;
  return html`${done.length === 0 ? say.nothingDone : done.map((step) => names[step] ?? step).join(', ')}`;
}

function links(one: Invitation, words: Words): Html {
  return one.state === 'revoked' ? html`${words.frame.none}` : html`${linkNames(one, words)}${linkVerbs(one, words)}`;
}

/** What the links open that are live. */
export function linkNames({ links: live }: Invitation, { invitations: say, frame }: Words): Html {
  const { all, status, step } = say.scopes;
  const kinds = new Set(live.map(({ scope }) => (scope === 'all' ? all : scope === 'status' ? status : step)));
  return html`${kinds.size === 0 ? frame.none : [...kinds].join(', ')}`;
}

/** What an owner does with them. */
export function linkVerbs(one: Invitation, { invitations: say }: Words): Html {
  const form = (verb: string, name: string) =>
    formTo(`/console/stores/invitations/${one.id}/${verb}`, { class: 'verbs', seen: stateOf(one), buttons: [button(name, { class: 'second' })] });
  const hasStatus = one.links.some(({ scope }) => scope === 'status');
  return html`${form('link', say.newLink)}${hasStatus ? form('end-status', say.endStatus) : nothing}${form('revoke', say.revoke)}`;
}

/** What its forms were made from. */
function stateOf({ state: is, links: live }: Invitation): unknown {
  return [is, live.map(({ scope, madeAt }) => [scope, madeAt])];
}
