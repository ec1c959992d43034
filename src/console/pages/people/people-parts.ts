import type { NamedShop } from '../../../operations/people/named-shops.ts';
import type { ListedPerson } from '../../../operations/people/people.ts';
import { PERSON_ROLES, type PersonRole } from '../../../operations/people/rights.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { tag, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

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
  const one = (each: PersonRole) =>
    html`<li><label><input type="radio" name="role" value="${each}"${attributes({ checked: each === role })}> ${frame.roles[each]}</label> <span class="hint">${people.roleMeans[each]}</span></li>`;
  return html`<fieldset class="choices"><legend>${people.role}</legend><ul>
${lines(PERSON_ROLES.map(one))}</ul></fieldset>`;
}

type ShopChoice = { shops: readonly string[] | null; known: readonly NamedShop[]; problem?: string | undefined; words: Words };

export function shopChoice({ shops, known, problem, words: { people } }: ShopChoice): Html {
  const unknown = (shops ?? []).filter((id) => !known.some((shop) => shop.id === id)).map((id) => ({ id, name: people.unknownShop(id) }));
  const box = ({ id, name }: NamedShop) =>
    html`<li><label><input type="checkbox" name="shop" value="${id}"${attributes({ checked: shops?.includes(id) ?? false })}> ${name}</label></li>`;
  const scope = (value: string, words: string, isIt: boolean) =>
    html`<label><input type="radio" name="scope" value="${value}"${attributes({ checked: isIt })}> ${words}</label>`;
  const every = [...known, ...unknown];
  return html`<fieldset class="choices"><legend>${people.shops}</legend>
${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
<p>${scope('all', people.allShops, shops === null)}</p>
<p>${scope('some', people.someShops, shops !== null)}</p>
${every.length === 0 ? html`<p class="hint">${people.shopsNone}</p>` : html`<ul>\n${lines(every.map(box))}</ul>`}</fieldset>`;
}
