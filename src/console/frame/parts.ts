import type { Lang } from '../../contract/said.ts';
import { type Html, html } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';

/** The words that parts of pages say, whosever pages they are. */
type FrameWords = Pick<Words, 'lang' | 'frame'>;

const ZONE = 'Europe/Sofia';
const locales: Readonly<Record<Lang, string>> = { en: 'en-GB', bg: 'bg-BG' };
const forms = {
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: ZONE },
  dated: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: ZONE },
  day: { day: 'numeric', month: 'long', year: 'numeric', timeZone: ZONE },
  month: { month: 'long', year: 'numeric', timeZone: ZONE },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(form: keyof typeof forms, lang: Lang, instant: Date): string {
  const key = `${form} ${lang}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locales[lang], forms[form]);
  formats.set(key, known);
  return known.format(instant);
}

/** An instant as people of Sofia read it; null: never. `dated`: with its year. */
export function when(instant: string | Date | null, { lang, frame }: FrameWords, form: 'moment' | 'dated' = 'moment'): Html {
  if (instant === null) return html`${frame.when.never}`;
  const at = new Date(instant);
  return html`<time datetime="${at.toISOString()}">${formatted(form, lang, at)}</time>`;
}

/** An instant as text, where no element may stand. */
export function momentName(instant: string, lang: Lang): string {
  return formatted('moment', lang, new Date(instant));
}

/** How long ago, of an instant. */
export function since(instant: string | Date | null, now: Date, { frame }: FrameWords): string {
  return instant === null ? frame.when.never : frame.when.ago(Math.max(0, Math.round((now.getTime() - new Date(instant).getTime()) / 1000)));
}

/** "2026-11": "November 2026". */
export function monthName(month: string, lang: Lang): string {
  return formatted('month', lang, new Date(`${month}-15T12:00:00Z`));
}

/** "2026-11-14": "14 November 2026". */
export function dayName(day: string, lang: Lang): string {
  return formatted('day', lang, new Date(`${day}T12:00:00Z`));
}

const AMOUNT = /(-?\d+(?:\.\d+)?) ([A-Z]{3})/g;

/** Sums such as "36.00 EUR + 12.00 USD" as people of the language write them; null: nothing is known. */
export function money(text: string | null, { lang, frame }: FrameWords): string {
  if (text === null) return frame.none;
  return text.replace(AMOUNT, (_whole, amount: string, currency: string) => {
    const decimals = amount.split('.')[1]?.length ?? 0;
    const format = new Intl.NumberFormat(locales[lang], { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    // As text, so that no cent is lost.
    return format.format(amount as `${number}`);
  });
}

/** A word with a colour: ok, attention, failing, or quiet. */
export type Tone = 'ok' | 'attention' | 'failing' | 'quiet';

export function tag(text: string, tone: Tone): Html {
  return html`<span class="tag ${tone}">${text}</span>`;
}

/** A part of a page that is renewed while somebody looks; its id is unique on the page. */
export function live(id: string, content: Html): Html {
  return html`<div id="${id}" data-live="">${content}</div>`;
}

/** Words in which what is to be typed is between backticks. */
export function coded(words: string): Html {
  return html`${words.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
