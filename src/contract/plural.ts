import { LANGS, type Lang } from './said.ts';

const rules: Partial<Record<Lang, Intl.PluralRules>> = {};

function rulesOf(lang: Lang): Intl.PluralRules {
  rules[lang] ??= new Intl.PluralRules(lang);
  return rules[lang];
}

function inEach<T>(make: (lang: Lang) => T): Readonly<Record<Lang, T>> {
  const [en, bg] = LANGS;
  return { en: make(en), bg: make(bg) };
}

/** What goes with a number: `one` ("is") or `many` ("are"). */
export const form = inEach(
  (lang) =>
    (n: number, one: string, many: string): string =>
      rulesOf(lang).select(n) === 'one' ? one : many,
);

/** A number with what it counts: "1 order", "2 orders". */
export const counted = inEach(
  (lang) =>
    (n: number, one: string, many: string): string =>
      `${n} ${form[lang](n, one, many)}`,
);

/** "1 order", "2 orders". */
export const orderCount = {
  en: (n: number): string => counted.en(n, 'order', 'orders'),
  bg: (n: number): string => counted.bg(n, 'поръчка', 'поръчки'),
};
