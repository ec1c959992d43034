import { namedShops } from '../../../operations/people/named-shops.ts';
import { changePerson, knownPerson, listPeople, resetPassword, setDisabled } from '../../../operations/people/people.ts';
import { endSessionsOf } from '../../../operations/people/sessions.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { missingPage } from '../../problem-pages.ts';
import { handOver } from './hand-over.ts';
import { nameOf, shopWords } from './people-parts.ts';
import { permitted, personView } from './person-view.ts';
import { type RoleGiven, roleGiven } from './role-form.ts';

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

type Known = Awaited<ReturnType<typeof knownPerson>>;

function verb(name: string, act: (context: PageContext, person: Known) => Promise<Reply>): Page {
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

type Compared = { person: Known; sent: Pick<RoleGiven, 'role' | 'shops'> };

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
