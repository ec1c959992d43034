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

/** A message: text, or what makes it of values. */
type Message = string | readonly unknown[] | ((...values: never[]) => unknown);

/** `T` with each message in both languages. */
export type InBoth<T> = T extends Message ? Readonly<Record<Lang, T>> : { [K in keyof T]: InBoth<T[K]> };

/** A tree in which each message stands in both languages, and the Bulgarian one takes what the English one takes. */
type Both<T> = T extends Message ? never : T extends { readonly en: infer English } ? Readonly<Record<Lang, English>> : { [K in keyof T]: Both<T[K]> };

/** The same tree in one language. */
type InOne<T> = T extends { readonly en: infer English } ? English : { [K in keyof T]: InOne<T[K]> };

/** Messages that stand in both languages side by side, as one tree for each language: made once, when the program loads. */
export function messages<T extends object>(tree: T & Both<T>): Readonly<Record<Lang, InOne<T>>> {
  return { en: pick(tree, 'en') as InOne<T>, bg: pick(tree, 'bg') as InOne<T> };
}

function pick(tree: object, lang: Lang): unknown {
  if ('en' in tree && 'bg' in tree) return tree[lang];
  return Object.fromEntries(Object.entries(tree).map(([name, branch]: [string, object]) => [name, pick(branch, lang)]));
}
