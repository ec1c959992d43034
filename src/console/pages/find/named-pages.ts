import { may, type Right } from '../../../operations/people/rights.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { ways } from '../../frame/page-frame.ts';
import { type Words, wordsIn } from '../../messages/messages.ts';

/** A page, or something that has one, by its name. */
export type NamedPage = { name: string; path: string };

/** It is there with our own service alone. */
const RATES = '/console/destinations/rates';

/** Pages that are not in the bar. */
const others: readonly { nameIn(words: Words): string; path: string; right: Right }[] = [
  { nameIn: ({ webhooks }) => webhooks.title, path: '/console/webhooks', right: 'orders.see' },
  { nameIn: ({ invitations }) => invitations.title, path: '/console/stores/invitations', right: 'stores.change' },
  { nameIn: ({ jobs }) => jobs.title, path: '/console/destinations/jobs', right: 'queues.see' },
  { nameIn: ({ events }) => events.title, path: '/console/destinations/events', right: 'queues.see' },
  { nameIn: ({ rates }) => rates.title, path: RATES, right: 'settings.change' },
  { nameIn: ({ account }) => account.title, path: '/console/account', right: 'orders.see' },
];

/** The pages that somebody may see whose name, in either language, has a word that begins so. */
export function pagesNamed(text: string, { role, lang, hasService }: Pick<Person, 'role'> & Pick<Words, 'lang'> & { hasService: boolean }): NamedPage[] {
  const all = [...ways.map(({ place, path, right }) => ({ nameIn: ({ frame }: Words) => frame.places[place], path, right })), ...others];
  const typed = text.toLowerCase();
  const begins = (name: string) => ` ${name.toLowerCase()}`.includes(` ${typed}`);
  return all.flatMap(({ nameIn, path, right }) => {
    const isThere = hasService || path !== RATES;
    const isMeant = isThere && may(role, right) && (['en', 'bg'] as const).some((one) => begins(nameIn(wordsIn(one))));
    return isMeant ? [{ name: nameIn(wordsIn(lang)), path }] : [];
  });
}
