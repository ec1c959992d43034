import { PERSON_ROLES, type PersonRole } from '../../../contract/person-role.ts';
import type { ListedPerson, NamedShop } from '../../../operations/people/people.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { choices, group, tick } from '../../../web/forms.ts';
import { type Html, html, lines } from '../../../web/html.ts';
import type { Form, PageContext, ShownPage } from '../../base/page.ts';
import { copyable, tag, when } from '../../frame/parts.ts';
import { type Words, wordsIn } from '../../messages/messages.ts';

export function nameOf({ name, email }: { name: string; email: string }): string {
  return name === '' ? email : name;
}

export function shopWords(shops: readonly string[] | null, known: readonly NamedShop[], { people }: Words): string {
  if (shops === null) return people.allShops;
  return shops.map((id) => known.find((shop) => shop.id === id)?.name ?? people.unknownShop(id)).join(', ');
}

export function stateTag({ isDisabled, hasPassword, linkUntil, sessions, issuer }: ListedPerson, words: Words): Html {
  const { states } = words.people;
  if (isDisabled) return tag(states.disabled, 'quiet');
  if (issuer !== null) return html`${tag(states.active, 'ok')} <span class="soft">${states.byProvider(new URL(issuer).host)}</span>`;
  if (hasPassword || sessions > 0) return tag(states.active, 'ok');
  return linkUntil === null ? tag(states.noPassword, 'attention') : html`${tag(states.linkUntil, 'quiet')} ${when(linkUntil, words)}`;
}

/** One of four, each with what it may. */
export function roleChoice(role: PersonRole, { people, frame }: Words): Html {
  const ways = PERSON_ROLES.map((each) => [each, frame.roles[each], html` <span class="hint">${people.roleMeans[each]}</span>`] as const);
  return choices({ name: 'role', legend: people.role, ways, chosen: role });
}

type ShopChoice = { shops: readonly string[] | null; known: readonly NamedShop[]; problem?: string | undefined; words: Words };

export function shopChoice({ shops, known, problem, words: { people } }: ShopChoice): Html {
  const unknown = (shops ?? []).filter((id) => !known.some((shop) => shop.id === id)).map((id) => ({ id, name: people.unknownShop(id) }));
  const every = [...known, ...unknown].map(({ id, name }) => tick({ name: 'shop', value: id, label: name, isOn: shops?.includes(id) ?? false }));
  const scope = (value: string, label: string, isOn: boolean) => tick({ name: 'scope', value, label, isOn, type: 'radio' });
  const content = html`${scope('all', people.allShops, shops === null)}
${scope('some', people.someShops, shops !== null)}
${every.length === 0 ? html`<p class="hint">${people.shopsNone}</p>` : lines(every)}`;
  return group({ id: 'shops', legend: people.shops, problem, content });
}

/** `problem`: why role and shops do not go together. */
export type RoleGiven = { role: PersonRole; shops: string[] | null; problem: string | undefined };

/** Role and shops as a form says them; a role that there is none of is the least. */
export function roleGiven(form: Form, { people }: Words): RoleGiven {
  const role = PERSON_ROLES.find((one) => one === form.text('role')) ?? 'viewer';
  const shops = form.text('scope') === 'some' ? [...new Set(form.all('shop'))].sort() : null;
  if (shops === null) return { role, shops, problem: undefined };
  if (role !== 'accountant') return { role, shops, problem: people.shopsOnlyAccountant };
  return { role, shops, problem: shops.length === 0 ? people.shopsMissing : undefined };
}

/** The link by which somebody chooses a password, shown once, and mailed if there is a mail server. It is in no address of a page. */
export function handOver({ deps: { entry }, req, words }: PageContext, { person, link }: { person: Person; link: string }): ShownPage {
  // Who is signed in reached the console there; only a mail needs an address that is configured.
  const url = `${entry.url ?? req.get('origin') ?? ''}${link}`;
  const { subject, text } = wordsIn(person.lang).entry.mail.added;
  entry.post?.(async () => ({ to: person.email, subject, text: text(url) }));
  const { people } = words;
  return {
    title: people.linkTitle(nameOf(person)),
    place: 'people',
    body: html`<p role="status">${entry.post === null ? people.link : people.linkMailed}</p>
<p class="link">${copyable(url)}</p>
<p><a href="/console/people">${people.back}</a></p>`,
  };
}
