import { LANGS, type Lang } from './messages.ts';

const rules: Partial<Record<Lang, Intl.PluralRules>> = {};

function rulesOf(lang: Lang): Intl.PluralRules {
  rules[lang] ??= new Intl.PluralRules(lang);
  return rules[lang];
}

function inEach<T>(make: (lang: Lang) => T): Readonly<Record<Lang, T>> {
  const [en, bg] = LANGS;
  return { en: make(en), bg: make(bg) };
}

/** A count: 12345 is "12,345" in English, "12 345" in Bulgarian. */
export function countText(count: number, lang: Lang): string {
  // Nothing is loaded for the small ones, which are most.
  return count < 1_000 ? String(count) : count.toLocaleString({ en: 'en-GB', bg: 'bg-BG' }[lang]);
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
      `${countText(n, lang)} ${form[lang](n, one, many)}`,
);

/** "1 order", "2 orders". */
export const orderCount = {
  en: (n: number): string => counted.en(n, 'order', 'orders'),
  bg: (n: number): string => counted.bg(n, 'поръчка', 'поръчки'),
};
