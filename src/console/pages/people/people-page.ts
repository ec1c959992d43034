import { emailAddress } from '../../../contract/email-address.ts';
import { namedShops } from '../../../operations/people/named-shops.ts';
import { addPerson, listPeople } from '../../../operations/people/people.ts';
import type { Form, Page, PageContext, Shown } from '../../base/page.ts';
import { handOver } from './hand-over.ts';
import { type Adding, peopleView } from './people-view.ts';
import { roleGiven } from './role-form.ts';

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
