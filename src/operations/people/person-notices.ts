import { z } from 'zod';
import { everyPerson, personOfId } from '../../bridge/ledger/people/people-store.ts';
import { PERSON_MAIL, PERSON_NOTICES } from '../../bridge/ledger/people/person-acts.ts';
import { messages } from '../../contract/messages.ts';
import { PROGRAM } from '../../platform/audit-log/audit-log.ts';
import type { Letter, MailBuilder } from '../../platform/mail/outbox.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { actorNames } from './people.ts';

/** `by`: who did it. `url`: of the console; null: it is not known. */
type Said = { by: string; url: string | null };

const words = messages({
  subject: {
    en: (email: string): string => `orderbridge: the access of ${email} was changed`,
    bg: (email: string) => `orderbridge: промяна в достъпа на ${email}`,
  },
  what: {
    owner: {
      en: (email: string): string => `${email} may sign in as an owner now.`,
      bg: (email: string) => `${email} вече може да влиза като собственик.`,
    },
    reset: {
      en: (email: string): string => `The password of the owner ${email} was taken away, and their sessions ended.`,
      bg: (email: string) => `Паролата на собственика ${email} беше нулирана и сесиите му приключиха.`,
    },
    factor: {
      en: (email: string): string => `${email} has no second step at the sign-in any more.`,
      bg: (email: string) => `${email} вече няма втора стъпка при входа.`,
    },
    passkey: {
      en: (email: string): string => `A passkey of the owner ${email} was removed.`,
      bg: (email: string) => `Премахнат е ключ за достъп на собственика ${email}.`,
    },
  },
  provider: { en: 'the identity provider', bg: 'доставчикът на самоличност' },
  text: {
    en: (what: string, { by, url }: Said): string =>
      `${what}\n\nBy: ${by}\n\nYou get this because you are an owner. If nobody of you wanted it, look at People and Activity at once${url === null ? '.' : `:\n\n${url}`}\n`,
    bg: (what: string, { by, url }: Said) =>
      `${what}\n\nОт: ${by}\n\nПолучавате това, защото сте собственик. Ако никой от вас не го е искал, веднага вижте „Хора“ и „Действия“${url === null ? '.' : `:\n\n${url}`}\n`,
  },
  password: {
    subject: { en: 'orderbridge: your password was set', bg: 'orderbridge: паролата ви е зададена' },
    text: {
      en: (url: string | null): string =>
        `A password was set for you${url === null ? '' : ` at ${url}`}. Everybody who was signed in as you elsewhere is signed out.\n\nIf it was not you, ask an owner to reset your access at once.\n`,
      bg: (url: string | null) =>
        `За вас е зададена парола${url === null ? '' : ` на ${url}`}. Другаде вече никой не е влязъл с вашия профил.\n\nАко не сте я задали вие, веднага помолете собственик да нулира достъпа ви.\n`,
    },
  },
});

/** `url`: where people reach the console; null: it is not known. */
type Deps = { pool: Pool; url: string | null };

const ref = z.object({ notice: z.enum(PERSON_NOTICES), person: z.string(), by: z.string() });

/** How mails about people are written: to each owner who may sign in; that a password was chosen to its person, who may not have done it. */
export function personNotices(deps: Deps): Record<string, MailBuilder> {
  return { [PERSON_MAIL]: (given) => letter(deps, ref.parse(given)) };
}

async function letter({ pool, url }: Deps, { notice, person: id, by }: z.output<typeof ref>): Promise<Letter | null> {
  const [person, everybody, names] = await Promise.all([personOfId(pool, id), everyPerson(pool), actorNames(pool, [by])]);
  const isTo = (one: { id: string; role: string }) => (notice === 'password' ? one.id === id : one.role === 'owner');
  const readers = everybody.filter((one) => isTo(one) && !one.isDisabled && !one.email.endsWith('.invalid'));
  if (person === null || readers.length === 0) return null;
  const at = url === null ? null : `${url}/console`;
  const write: Letter['write'] = async ({ address }) => {
    const { subject, what, text, provider, password } = words[readers.find(({ email }) => email === address)?.lang ?? 'en'];
    const who = by === PROGRAM ? provider : (names.get(by) ?? by);
    const said =
      notice === 'password'
        ? { subject: password.subject, text: password.text(at) }
        : { subject: subject(person.email), text: text(what[notice](person.email), { by: who, url: at }) };
    return { ...said, to: [address], html: null, replyTo: null, senderName: null, attachments: [], images: [] };
  };
  return { to: readers.map(({ email }) => email), write };
}
