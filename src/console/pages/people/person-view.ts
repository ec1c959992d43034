import type { NamedShop } from '../../../operations/people/named-shops.ts';
import type { ListedPerson } from '../../../operations/people/people.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { seen, since } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { roleChoice, shopChoice, shopWords, stateTag } from './people-parts.ts';
import type { RoleGiven } from './role-form.ts';

type PersonView = { words: Words; person: ListedPerson; known: readonly NamedShop[]; now: Date; isSelf: boolean; given: RoleGiven | null };

/** What an owner decides about a person. */
export function permitted({ role, shops, isDisabled, hasPassword }: Person): object {
  return { role, shops, isDisabled, hasPassword };
}

export function personView({ words, person, known, now, isSelf, given }: PersonView): Html {
  const { people, frame, entry } = words;
  const { role, shops, problem } = given ?? { ...person, problem: undefined };
  const { columns } = people;
  return html`<dl class="facts"><dt>${entry.email}</dt><dd>${person.email}</dd>
<dt>${columns.role}</dt><dd>${frame.roles[person.role]}</dd>
<dt>${columns.shops}</dt><dd>${shopWords(person.shops, known, words)}</dd>
<dt>${columns.state}</dt><dd>${stateTag(person, words)}</dd>
<dt>${columns.seen}</dt><dd>${since(person.seenAt, now, words)}</dd>
<dt>${columns.sessions}</dt><dd>${person.sessions}</dd></dl>
<section><h2>${people.change}</h2>
${person.issuer === null ? nothing : html`<p class="hint">${people.byProviderHint(new URL(person.issuer).host)}</p>\n`}<form method="post" action="/console/people/${person.id}">
${seen(permitted(person))}
${roleChoice(role, words)}
${shopChoice({ shops, known, problem, words })}
<div class="verbs"><button>${people.save}</button></div>
</form></section>
${verbs({ words, person, isSelf })}
<p><a href="/console/people">${people.back}</a></p>`;
}

function verbs({ words: { people }, person, isSelf }: Pick<PersonView, 'words' | 'person' | 'isSelf'>): Html {
  const one = (path: string, title: string, { hint, verb, kind = 'second' }: { hint: string; verb: string; kind?: string }) =>
    html`<section><h2>${title}</h2>
<p class="hint">${hint}</p>
<form class="verbs" method="post" action="/console/people/${person.id}/${path}">${seen(permitted(person))}<button class="${kind}">${verb}</button></form></section>
`;
  if (person.isDisabled) return one('enable', people.enableVerb, { hint: people.enableHint, verb: people.enableVerb });
  const ending = one('end-sessions', people.sessions(person.sessions), { hint: people.endHint, verb: people.endVerb });
  const reset = isSelf
    ? html`<p class="hint">${people.resetSelf} <a href="/console/account">${people.toAccount}</a></p>`
    : one('reset', people.reset, { hint: people.resetHint, verb: people.resetVerb });
  const disable = one('disable', people.disable, { hint: people.disableHint, verb: people.disableVerb, kind: 'danger' });
  return html`${person.sessions > 0 && !isSelf ? ending : nothing}${reset}
${disable}`;
}
