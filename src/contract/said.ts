export const LANGS = ['en', 'bg'] as const;
export type Lang = (typeof LANGS)[number];

/** The same in each language, for people. */
export type LocalizedText = Readonly<Record<Lang, string>>;

/** What people call their language. */
export const languageNames: LocalizedText = { en: 'English', bg: 'Български' };

/** Words of somebody else, such as a service's answer: they are repeated as they are. */
export function quoted(words: string): LocalizedText {
  return { en: words, bg: words };
}
