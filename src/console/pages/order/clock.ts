import { type Html, html } from '../../../web/html.ts';
import type { Words } from '../../words/words.ts';

const locales = { en: 'en-GB', bg: 'bg-BG' } as const;
const form = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Sofia' } as const;
const formats = { en: new Intl.DateTimeFormat(locales.en, form), bg: new Intl.DateTimeFormat(locales.bg, form) };

/** An instant to the second, as people of Sofia read it: what follows what is seen in a line of time. */
export function clockText(instant: string, { lang }: Words): string {
  return formats[lang].format(new Date(instant));
}

export function clock(instant: string, words: Words): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${clockText(instant, words)}</time>`;
}
