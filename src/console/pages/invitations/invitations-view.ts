import type { Invitation } from '../../../operations/onboarding/invitations.ts';
import type { NamedShop } from '../../../operations/people/named-shops.ts';
import { PROGRAM } from '../../../platform/trail/trail.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { choice } from '../../frame/choice.ts';
import { field, seen, type Tone, table, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** What an owner typed of a merchant. */
export type Inviting = { email: string; shop: string; company: string; app: string; lang: string; wrong: readonly ('email' | 'company')[] };

type View = {
  words: Words;
  invitations: readonly Invitation[];
  /** Without a live connection. */
  shops: readonly NamedShop[];
  /** Those that merchants approve at their stores. */
  apps: readonly string[];
  /** Is the compliance service ours, so that all of its shops are known? */
  isOurs: boolean;
  canMail: boolean;
  tried: Inviting | null;
};

export function invitationsView({ invitations, ...form }: View): Html {
  const { words } = form;
  const { invitations: say, store } = words;
  return html`<p><a href="/console/stores">${store.back}</a></p>
<p class="soft">${say.intro}</p>
${inviteForm(form)}
<h2>${say.list}</h2>
${invitations.length === 0 ? html`<p>${say.none}</p>` : invitationTable(invitations, words)}`;
}

function inviteForm({ words: { invitations: say }, shops, apps, isOurs, canMail, tried }: Omit<View, 'invitations'>): Html {
  const { email, shop, company, app, lang, wrong } = tried ?? { email: '', shop: '', company: '', app: '', lang: '', wrong: [] };
  const problem = (name: 'email' | 'company', words: string) => (wrong.includes(name) ? { problem: words } : {});
  const options = Object.fromEntries([['', say.shopNew], ...shops.map(({ id, name }) => [id, name])]);
  const hint = canMail ? say.emailHintMail : say.emailHint;
  return html`<form method="post" action="/console/stores/invitations">
${field({ name: 'email', label: say.email, type: 'email', value: email, hint, autocomplete: 'off', ...problem('email', say.emailWrong) })}
${isOurs ? choice({ name: 'shop', label: say.shop, value: shop, options }) : field({ name: 'shop', label: say.shop, value: shop, hint: say.shopNew, autocomplete: 'off' })}
${field({ name: 'company', label: say.company, value: company, hint: say.companyHint, autocomplete: 'off', ...problem('company', say.companyWrong) })}
${apps.length === 0 ? nothing : choice({ name: 'app', label: say.app, value: app, options: Object.fromEntries([['', say.appNone], ...apps.map((id) => [id, id])]) })}
${choice({ name: 'lang', label: say.lang, value: lang, options: say.langs })}
<div class="verbs"><button>${say.make}</button></div>
</form>`;
}

/** The newest are enough to look at; the command lists all. */
const MOST_ROWS = 200;

function invitationTable(invitations: readonly Invitation[], words: Words): Html {
  const { columns, title } = words.invitations;
  const row = (one: Invitation) => [whose(one, words), state(one, words), steps(one, words), links(one, words), when(one.createdAt, words, 'dated')];
  const names = [columns.who, columns.state, columns.steps, columns.links, columns.made].map((name) => ({ name }));
  return table({ caption: title, columns: names, rows: invitations.slice(0, MOST_ROWS).map(row) });
}

function whose(one: Invitation, { invitations: say }: Words): Html {
  const { email, who, connectionId } = one;
  const store = connectionId === null ? nothing : html`<br><a href="/console/stores/${connectionId}">${say.toStore}</a>`;
  return html`${email ?? (who === PROGRAM ? say.uninvited : say.unnamed)}${store}${companyWaits(one, say)}`;
}

/** The company that he says is his, who else has it, and what an owner says to that. */
function companyWaits({ id, waits }: Invitation, say: Words['invitations']): Html {
  if (waits === null) return nothing;
  const { company, name, others } = waits;
  const verb = (is: 'confirm' | 'refuse') =>
    html`<form class="verbs" method="post" action="/console/stores/invitations/${id}/${is}">${seen(waits)}<button class="second">${say[is]}</button></form>`;
  return html`<p class="notice">${say.waits(company, name ?? '')}${others.length === 0 ? nothing : html`<br><strong>${say.others(others.join(', '))}</strong>`}</p>${verb('confirm')}${verb('refuse')}`;
}

const tones: Readonly<Record<Invitation['state'], Tone>> = { open: 'attention', expired: 'quiet', revoked: 'quiet', started: 'ok' };

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
  const form = (verb: string, name: string, kind: string) =>
    html`<form class="verbs" method="post" action="/console/stores/invitations/${one.id}/${verb}">${seen(stateOf(one))}<button class="${kind}">${name}</button></form>`;
  const hasStatus = one.links.some(({ scope }) => scope === 'status');
  return html`${form('link', say.newLink, 'second')}${hasStatus ? form('end-status', say.endStatus, 'second') : nothing}${form('revoke', say.revoke, 'second')}`;
}

/** What its forms were made from. */
export function stateOf({ state: is, links: live }: Invitation): unknown {
  return [is, live.map(({ scope, madeAt }) => [scope, madeAt])];
}
