import { emailAddress } from '../../../contract/email-address.ts';
import {
  addPerson,
  changePerson,
  knownPerson,
  type ListedPerson,
  listPeople,
  type NamedShop,
  namedShops,
  resetPassword,
  setDisabled,
} from '../../../operations/people/people.ts';
import { resetFactor } from '../../../operations/people/second-factor.ts';
import { endSessionsOf, type Person } from '../../../operations/people/sessions.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, field, formTo, mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, rowsBefore, sortedBy, table, tablePaging } from '../../../web/tables.ts';
import { type Form, idOf, type Page, type PageContext, type PageReply, type ShownPage } from '../../base/page.ts';
import { listAddress, since } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { missingPage } from '../../problem-pages.ts';
import { inAddress } from '../orders/order-list-request.ts';
import { handOver, nameOf, type RoleGiven, roleChoice, roleGiven, shopChoice, shopWords, stateTag } from './people-parts.ts';

const LONGEST_NAME = 200;

/** `GET /console/people`: who may sign in; an owner adds others. */
export const peoplePage: Page = {
  path: '/people',
  right: 'people.change',
  get: (context) => shown(context, null),
  post: {
    right: 'people.change',
    asksAgain: true,
    async act(context, form) {
      const { deps, by } = context;
      const given = givenBy(context, form);
      const isTaken = (await listPeople(deps)).some(({ email }) => email.toLowerCase() === given.email.toLowerCase());
      const emailProblem = isTaken ? context.words.people.emailTaken : given.emailProblem;
      if (emailProblem !== undefined || given.problem !== undefined)
        return { ...(await shown(context, { ...given, emailProblem })), status: isTaken ? 409 : 422 };
      const { email, name, lang, role, shops } = given;
      return handOver(context, await addPerson(deps, { email, name, lang, role, shops, by }));
    },
  },
};

function givenBy({ words }: PageContext, form: Form): Adding {
  const email = form.text('email');
  return {
    ...roleGiven(form, words),
    ...{ email, name: form.text('name').slice(0, LONGEST_NAME), lang: form.text('lang') === 'bg' ? 'bg' : 'en' },
    emailProblem: emailAddress.safeParse(email).success ? undefined : words.people.emailWrong,
  };
}

async function shown({ deps, words, req }: PageContext, adding: Adding | null): Promise<ShownPage> {
  const [people, shops] = await Promise.all([listPeople(deps), namedShops(deps)]);
  const sort = sortedBy(req.query['sort'], '/console/people');
  const from = rowsBefore(inAddress({ req })('n'));
  const body = peopleView({ words, people, known: shops, now: deps.now(), sort, from, canMail: deps.entry.post !== null, adding });
  return { title: words.people.title, place: 'people', body };
}

/** What an owner typed of somebody new. */
type Adding = RoleGiven & { email: string; name: string; lang: 'en' | 'bg'; emailProblem: string | undefined };
type PeopleView = {
  words: Words;
  people: readonly ListedPerson[];
  known: readonly NamedShop[];
  now: Date;
  sort: ReturnType<typeof sortedBy>;
  from: number;
  canMail: boolean;
  adding: Adding | null;
};

function peopleView({ words, people, known, now, sort, from, ...form }: PeopleView): Html {
  const { people: said, frame } = words;
  const { columns } = said;
  const shown: Columns<ListedPerson> = [
    {
      name: columns.person,
      cell: (person) =>
        html`<a href="/console/people/${person.id}">${nameOf(person)}</a>${person.name === '' ? nothing : html`<br><span class="soft">${person.email}</span>`}`,
      by: nameOf,
    },
    { name: columns.role, cell: ({ role }) => frame.roles[role], by: ({ role }) => frame.roles[role] },
    { name: columns.shops, cell: ({ shops }) => shopWords(shops, known, words) },
    { name: columns.seen, cell: ({ seenAt }) => since(seenAt, now, words), by: ({ seenAt }) => seenAt ?? '' },
    { name: columns.sessions, cell: ({ sessions }) => sessions, by: ({ sessions }) => sessions },
    { name: columns.state, cell: (person) => stateTag(person, words) },
  ];
  return html`<p class="soft">${said.intro}</p>
${table({ caption: said.title, columns: shown, rows: people, sort, from })}
${tablePaging({ from, count: people.length, to: (place) => listAddress('people', { sort: sort.by, ...place }) }, words)}
${people.length === 1 ? html`<p>${said.onlyYou}</p>` : nothing}
${addForm({ words, known, ...form })}`;
}

const EMPTY: Adding = { email: '', name: '', lang: 'en', role: 'operator', shops: null, emailProblem: undefined, problem: undefined };

function addForm({ words, known, canMail, adding }: Pick<PeopleView, 'words' | 'known' | 'canMail' | 'adding'>): Html {
  const { people: said, entry } = words;
  const { email, name, lang, role, shops, emailProblem, problem } = adding ?? { ...EMPTY, lang: words.lang };
  const fields = html`<p class="hint">${canMail ? said.addHintMail : said.addHint}</p>
${field({ name: 'email', label: said.email, type: 'email', value: email, required: true, autocomplete: 'off', problem: emailProblem })}
${field({ name: 'name', label: said.name, value: name, autocomplete: 'off' })}
${field({ name: 'lang', label: said.language, value: lang, options: entry.languages })}
${roleChoice(role, words)}
${shopChoice({ shops, known, problem, words })}`;
  return html`<details class="form"${attributes({ open: adding !== null })}><summary>${said.add}</summary>
${formTo('/console/people', { body: fields, buttons: [button(said.addVerb)] })}</details>`;
}

/** `GET /console/people/:id`: what a person may do, and how an owner changes it. */
export const personPage: Page = {
  path: '/people/:id',
  right: 'people.change',
  get: (context) => shownPerson(context, null),
  post: { right: 'people.change', asksAgain: true, act: changed },
};

/** Each in a form of its own, at an address of its own. */
export const personVerbs: readonly Page[] = [
  verb('reset', async (context, person) => handOver(context, { person, ...(await resetPassword(context.deps, person, context)) })),
  verb('reset-factor', async (context, person) => {
    if (person.id === context.person.id) throw ownFactor();
    await resetFactor(context.deps, person, context);
    return { goTo: `/console/people/${person.id}`, done: 'factor-reset' };
  }),
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

function ownFactor(): Refusal {
  return new Refusal('conflict', {
    en: 'your own second step is changed on your account page; another owner can reset it',
    bg: 'своята втора стъпка променяте в профила си; да я нулира може друг собственик',
  });
}

type KnownPerson = Awaited<ReturnType<typeof knownPerson>>;

function verb(name: string, act: (context: PageContext, person: KnownPerson) => Promise<PageReply>): Page {
  return {
    path: `/people/:id/${name}`,
    right: 'people.change',
    post: {
      right: 'people.change',
      asksAgain: true,
      async act(context, form) {
        const person = await knownPerson(context.deps, idOf(context));
        await seenPerson(context, form, { person, sent: person });
        return act(context, person);
      },
    },
  };
}

async function changed(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const person = await knownPerson(deps, idOf(context));
  const given = roleGiven(form, words);
  await seenPerson(context, form, { person, sent: given });
  if (given.problem !== undefined) return { ...(await shownPerson(context, given)), status: 422 };
  await changePerson(deps, person.id, { role: given.role, shops: given.shops, by });
  return { goTo: `/console/people/${person.id}`, done: 'person-changed' };
}

/** What another owner did meanwhile is not overwritten. */
async function seenPerson(context: PageContext, form: Form, { person, sent }: { person: KnownPerson; sent: Pick<RoleGiven, 'role' | 'shops'> }): Promise<void> {
  const { deps, words } = context;
  const shops = await namedShops(deps);
  const { frame, people } = words;
  const said = ({ role, shops: own }: Pick<RoleGiven, 'role' | 'shops'>) => `${frame.roles[role]}; ${people.columns.shops}: ${shopWords(own, shops, words)}`;
  const state = person.isDisabled ? people.states.disabled : people.states.active;
  mustBeSeen(form, permitted(person), { sent: said(sent), now: `${said(person)}; ${state}` });
}

async function shownPerson(context: PageContext, given: RoleGiven | null): Promise<ShownPage> {
  const { deps, words, person: self } = context;
  const [people, shops] = await Promise.all([listPeople(deps), namedShops(deps)]);
  const person = people.find(({ id }) => id === idOf(context));
  if (person === undefined) return missingPage(words);
  const body = personView({ words, person, known: shops, now: deps.now(), isSelf: person.id === self.id, given });
  return { title: nameOf(person), place: 'people', body };
}

type PersonView = { words: Words; person: ListedPerson; known: readonly NamedShop[]; now: Date; isSelf: boolean; given: RoleGiven | null };

/** What an owner decides about a person. */
function permitted({ role, shops, isDisabled, hasPassword, hasFactor }: Person): object {
  return { role, shops, isDisabled, hasPassword, hasFactor };
}

function personView({ words, person, known, now, isSelf, given }: PersonView): Html {
  const { people, frame, entry } = words;
  const { role, shops, problem } = given ?? { ...person, problem: undefined };
  const { columns } = people;
  return html`<dl class="facts"><dt>${entry.email}</dt><dd>${person.email}</dd>
<dt>${columns.role}</dt><dd>${frame.roles[person.role]}</dd>
<dt>${columns.shops}</dt><dd>${shopWords(person.shops, known, words)}</dd>
<dt>${columns.state}</dt><dd>${stateTag(person, words)}</dd>
<dt>${words.factor.title}</dt><dd>${person.hasFactor ? people.factorOn : people.factorOff}</dd>
<dt>${columns.seen}</dt><dd>${since(person.seenAt, now, words)}</dd>
<dt>${columns.sessions}</dt><dd>${person.sessions}</dd></dl>
<section><h2>${people.change}</h2>
${person.issuer === null ? nothing : html`<p class="hint">${people.byProviderHint(new URL(person.issuer).host)}</p>\n`}${formTo(`/console/people/${person.id}`, { seen: permitted(person), body: html`${roleChoice(role, words)}\n${shopChoice({ shops, known, problem, words })}`, buttons: [button(people.save)] })}</section>
${verbs({ words, person, isSelf })}
<p><a href="/console/people">${people.back}</a></p>`;
}

function verbs({ words: { people }, person, isSelf }: Pick<PersonView, 'words' | 'person' | 'isSelf'>): Html {
  const one = (path: string, title: string, { hint, verb, kind = 'second' }: { hint: string; verb: string; kind?: string }) =>
    html`<section><h2>${title}</h2>
<p class="hint">${hint}</p>
${formTo(`/console/people/${person.id}/${path}`, { class: 'verbs', seen: permitted(person), buttons: [button(verb, { class: kind })] })}</section>
`;
  if (person.isDisabled) return one('enable', people.enableVerb, { hint: people.enableHint, verb: people.enableVerb });
  const ending = one('end-sessions', people.sessions(person.sessions), { hint: people.endHint, verb: people.endVerb });
  const reset = isSelf
    ? html`<p class="hint">${people.resetSelf} <a href="/console/account">${people.toAccount}</a></p>`
    : one('reset', people.reset, { hint: people.resetHint, verb: people.resetVerb });
  const disable = one('disable', people.disable, { hint: people.disableHint, verb: people.disableVerb, kind: 'danger' });
  const factor = one('reset-factor', people.resetFactor, { hint: people.resetFactorHint, verb: people.resetFactor });
  return html`${person.sessions > 0 && !isSelf ? ending : nothing}${reset}
${person.hasFactor && !isSelf ? factor : nothing}${disable}`;
}
