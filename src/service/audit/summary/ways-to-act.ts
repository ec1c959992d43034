import { mailSayings } from '../../../contract/mail-words.ts';
import type { Block } from './summary-page.ts';

/**
 * How the reader says what they did: by a command, by the link to the month's page, on that page itself, or there, but what they read bears no link;
 * or by answering the mail.
 */
export type WayToAct = { kind: 'command' } | { kind: 'link'; url: string } | { kind: 'page' } | { kind: 'elsewhere' } | { kind: 'reply' };

export const BY_COMMAND: WayToAct = { kind: 'command' };

/** Of a mail. `link`: to the month's page; null: there is none. Its reader has no shell. */
export function wayOf(link: string | null): WayToAct {
  return link === null ? { kind: 'reply' } : { kind: 'link', url: link };
}

/** The link itself, above the steps that need it. */
export function linkBlock(way: WayToAct): readonly Block[] {
  return way.kind === 'link' ? [{ kind: 'link', words: LINK_WORDS, href: way.url }] : [];
}

const LINK_WORDS = 'Страница на месеца: файлове, „подаден“, „върнат от НАП“, изготвяне наново';

/** After steps that bear a link. */
export const CAUTION = 'Връзката е само за вас: който я има, може да вижда и отбелязва месеците, които получавате.';

/** Where the reader has the forms of a month. */
export const places = {
  link: 'на страницата на месеца (връзката е по-горе)',
  page: 'с формата на тази страница',
  elsewhere: 'на страницата на месеца',
} as const satisfies Record<Exclude<WayToAct['kind'], 'command' | 'reply'>, string>;

/** The same of a mail without a link. */
export const BY_REPLY = 'Достатъчно е да отговорите на писмото: ще го направи този, който поддържа услугата.';

/** For anyone who gets a shop's mails by mistake. */
export const WAY_OUT = { title: mailSayings.notYours.bg, words: mailSayings.sayItHere.bg };

/** Where they say it: behind the link of their mail. */
export function wayOutOf(link: string): string {
  return `${link}/mails`;
}
