import {
  changePerson,
  knownPerson,
  type ListedPerson,
  listPeople,
  type NamedShop,
  namedShops,
  resetPassword,
  setDisabled,
} from '../../../operations/people/people.ts';
import { endSessionsOf, type Person } from '../../../operations/people/sessions.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { seen, since } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import type { Words } from '../../messages/messages.ts';
import { missingPage } from '../../problem-pages.ts';
import { handOver, nameOf, type RoleGiven, roleChoice, roleGiven, shopChoice, shopWords, stateTag } from './people-parts.ts';

/** `GET /console/people/:id`: what a person may do, and how an owner changes it. */
export const personPage: Page = {
  path: '/people/:id',
  right: 'people.change',
  get: (context) => shown(context, null),
  post: { right: 'people.change', act: changed },
};

/** Each in a form of its own, at an address of its own. */
export const personVerbs: readonly Page[] = [
  verb('reset', async (context, person) => handOver(context, { person, ...(await resetPassword(context.deps, person, context)) })),
  verb('disable', async ({ deps, by }, person) => {
    await setDisabled(deps, person, { isDisabled: true, by });
    return { goTo: `/console/people/${person.id}`, done: 'person-disabled' };
  }),
  verb('enable', async ({ deps, by }, person) => {
    await setDisabled(deps, person, { isDisabled: false, by });
    return { goTo: `/console/people/${person.id}`, done: 'person-enabled' };
  }),
  verb('end-sessions', async ({ deps, by }, { id }) => {
    await endSessionsOf(deps, { person: id, by });
    return { goTo: `/console/people/${id}`, done: 'sessions-ended' };
  }),
];

type KnownPerson = Awaited<ReturnType<typeof knownPerson>>;

function verb(name: string, act: (context: PageContext, person: KnownPerson) => Promise<Reply>): Page {
  return {
    path: `/people/:id/${name}`,
    right: 'people.change',
    post: {
      right: 'people.change',
      async act(context, form) {
        const person = await knownPerson(context.deps, idOf(context));
        await seenPerson(context, form, { person, sent: person });
        return act(context, person);
      },
    },
  };
}

async function changed(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const person = await knownPerson(deps, idOf(context));
  const given = roleGiven(form, words);
  await seenPerson(context, form, { person, sent: given });
  if (given.problem !== undefined) return { ...(await shown(context, given)), status: 422 };
  await changePerson(deps, person.id, { role: given.role, shops: given.shops, by });
  return { goTo: `/console/people/${person.id}`, done: 'person-changed' };
}

type Compared = { person: KnownPerson; sent: Pick<RoleGiven, 'role' | 'shops'> };

/** What another owner did meanwhile is not overwritten. */
async function seenPerson(context: PageContext, form: Form, { person, sent }: Compared): Promise<void> {
  const { deps, words } = context;
  const shops = await namedShops(deps);
  const { frame, people } = words;
  const said = ({ role, shops: own }: Pick<RoleGiven, 'role' | 'shops'>) => `${frame.roles[role]}; ${people.columns.shops}: ${shopWords(own, shops, words)}`;
  const state = person.isDisabled ? people.states.disabled : people.states.active;
  mustBeSeen(form, permitted(person), { sent: said(sent), now: `${said(person)}; ${state}` });
}

async function shown(context: PageContext, given: RoleGiven | null): Promise<Shown> {
  const { deps, words, person: self } = context;
  const [people, shops] = await Promise.all([listPeople(deps), namedShops(deps)]);
  const person = people.find(({ id }) => id === idOf(context));
  if (person === undefined) return missingPage(words);
  const body = personView({ words, person, known: shops, now: deps.now(), isSelf: person.id === self.id, given });
  return { title: nameOf(person), place: 'people', body };
}

function idOf({ req }: PageContext): string {
  return String(req.params['id']);
}

type PersonView = { words: Words; person: ListedPerson; known: readonly NamedShop[]; now: Date; isSelf: boolean; given: RoleGiven | null };

/** What an owner decides about a person. */
function permitted({ role, shops, isDisabled, hasPassword }: Person): object {
  return { role, shops, isDisabled, hasPassword };
}

function personView({ words, person, known, now, isSelf, given }: PersonView): Html {
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
