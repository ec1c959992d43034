import { everyPerson } from '../../bridge/ledger/people/people-store.ts';
import { messages } from '../../contract/messages.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { actorNames } from './people.ts';
import type { Person } from './sessions.ts';

/** owner: somebody is an owner now. reset: an owner's password was taken away. factor: anybody's second factor was. */
export type NoticeKind = 'owner' | 'reset' | 'factor';

/** `url`: of the console. `by`: who did it. */
export type OwnerNotice = { kind: NoticeKind; person: Pick<Person, 'email' | 'role'>; by: Actor; url: string };

const words = messages({
  subject: {
    en: (email: string): string => `orderbridge: the access of ${email} was changed`,
    bg: (email: string) => `orderbridge: промяна в достъпа на ${email}`,
  },
  what: {
    owner: { en: (email: string): string => `${email} is an owner now.`, bg: (email: string) => `${email} вече е собственик.` },
    reset: {
      en: (email: string): string => `The password of the owner ${email} was taken away, and their sessions ended.`,
      bg: (email: string) => `Паролата на собственика ${email} беше нулирана и сесиите му приключиха.`,
    },
    factor: {
      en: (email: string): string => `${email} has no second step at the sign-in any more.`,
      bg: (email: string) => `${email} вече няма втора стъпка при входа.`,
    },
  },
  text: {
    en: (what: string, { by, url }: { by: string; url: string }): string =>
      `${what}\n\nBy: ${by}\n\nYou get this because you are an owner. If nobody of you wanted it, look at People and Activity at once:\n\n${url}\n`,
    bg: (what: string, { by, url }: { by: string; url: string }) =>
      `${what}\n\nОт: ${by}\n\nПолучавате това, защото сте собственик. Ако никой от вас не го е искал, веднага вижте „Хора“ и „Действия“:\n\n${url}\n`,
  },
});

/** A mail to each owner who may sign in; none if it is not about an owner. */
export async function ownerNotices({ pool }: { pool: Pool }, { kind, person, by, url }: OwnerNotice): Promise<{ to: string; subject: string; text: string }[]> {
  if (kind !== 'factor' && person.role !== 'owner') return [];
  const names = await actorNames(pool, [by]);
  const owners = (await everyPerson(pool)).filter(({ role, isDisabled, email }) => role === 'owner' && !isDisabled && !email.endsWith('.invalid'));
  return owners.map(({ email: to, lang }) => {
    const { subject, what, text } = words[lang];
    return { to, subject: subject(person.email), text: text(what[kind](person.email), { by: names.get(by) ?? by, url }) };
  });
}
