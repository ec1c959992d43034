export const LANGS = ['en', 'bg'] as const;
export type Lang = (typeof LANGS)[number];

/** The same in each language, for people. */
export type Said = Readonly<Record<Lang, string>>;

/** What people call their language. */
export const languageNames: Said = { en: 'English', bg: 'Български' };

/** Words of somebody else, such as a service's answer: they are repeated as they are. */
export function quoted(words: string): Said {
  return { en: words, bg: words };
}
