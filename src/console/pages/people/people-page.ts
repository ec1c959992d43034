import { emailAddress } from '../../../contract/email-address.ts';
import { addPerson, type ListedPerson, listPeople, type NamedShop, namedShops } from '../../../operations/people/people.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Shown } from '../../base/page.ts';
import { choice, field, since, table } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { handOver, nameOf, type RoleGiven, roleChoice, roleGiven, shopChoice, shopWords, stateTag } from './people-parts.ts';

const LONGEST_NAME = 200;

/** `GET /console/people`: who may sign in; an owner adds others. */
export const peoplePage: Page = {
  path: '/people',
  right: 'people.change',
  get: (context) => shown(context, null),
  post: {
    right: 'people.change',
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

async function shown({ deps, words }: PageContext, adding: Adding | null): Promise<Shown> {
  const [people, shops] = await Promise.all([listPeople(deps), namedShops(deps)]);
  const body = peopleView({ words, people, known: shops, now: deps.now(), canMail: deps.entry.post !== null, adding });
  return { title: words.people.title, place: 'people', body };
}

/** What an owner typed of somebody new. */
type Adding = RoleGiven & { email: string; name: string; lang: 'en' | 'bg'; emailProblem: string | undefined };
type PeopleView = { words: Words; people: readonly ListedPerson[]; known: readonly NamedShop[]; now: Date; canMail: boolean; adding: Adding | null };

function peopleView({ words, people, known, now, ...form }: PeopleView): Html {
  const { people: said, frame } = words;
  const { columns } = said;
  const row = (person: ListedPerson) => [
    html`<a href="/console/people/${person.id}">${nameOf(person)}</a>${person.name === '' ? nothing : html`<br><span class="soft">${person.email}</span>`}`,
    html`${frame.roles[person.role]}`,
    html`${shopWords(person.shops, known, words)}`,
    html`${since(person.seenAt, now, words)}`,
    html`${person.sessions}`,
    stateTag(person, words),
  ];
  const names = [columns.person, columns.role, columns.shops, columns.seen, columns.sessions, columns.state].map((name) => ({ name }));
  return html`<p class="soft">${said.intro}</p>
${table({ caption: said.title, columns: names, rows: people.map(row) })}
${people.length === 1 ? html`<p>${said.onlyYou}</p>` : nothing}
${addForm({ words, known, ...form })}`;
}

const EMPTY: Adding = { email: '', name: '', lang: 'en', role: 'operator', shops: null, emailProblem: undefined, problem: undefined };

function addForm({ words, known, canMail, adding }: Pick<PeopleView, 'words' | 'known' | 'canMail' | 'adding'>): Html {
  const { people: said, entry } = words;
  const { email, name, lang, role, shops, emailProblem, problem } = adding ?? { ...EMPTY, lang: words.lang };
  return html`<details class="form"${attributes({ open: adding !== null })}><summary>${said.add}</summary>
<form method="post" action="/console/people">
<p class="hint">${canMail ? said.addHintMail : said.addHint}</p>
${field({ name: 'email', label: said.email, type: 'email', value: email, required: true, autocomplete: 'off', ...(emailProblem === undefined ? {} : { problem: emailProblem }) })}
${field({ name: 'name', label: said.name, value: name, autocomplete: 'off' })}
${choice({ name: 'lang', label: said.language, value: lang, options: entry.languages })}
${roleChoice(role, words)}
${shopChoice({ shops, known, problem, words })}
<div class="verbs"><button>${said.addVerb}</button></div>
</form></details>`;
}
