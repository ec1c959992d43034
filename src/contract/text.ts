import { z } from 'zod';

// XML 1.0, the format of the audit file, has no control characters; PostgreSQL refuses the first of them.
const UNWRITABLE = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u;
const EACH_UNWRITABLE = new RegExp(UNWRITABLE, 'gu');

/** Text of 0 to `max` characters that a database and an XML file can carry. */
export function anyText(max: number) {
  return z
    .string()
    .max(max, `must be ${max} characters at most`)
    .refine((text) => text.isWellFormed() && !UNWRITABLE.test(text), 'must not contain control characters or broken Unicode');
}

/** The text as `anyText` takes it: a space for each character that it refuses, and nothing beyond `max` characters. */
export function fittingText(text: string, max: number): string {
  // A pair that the limit cuts leaves its first half.
  return text
    .toWellFormed()
    .replace(EACH_UNWRITABLE, ' ')
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '');
}

// Neither space, nor format character, nor mark, nor one that is shown as nothing: fillers, variation selectors, the blank of braille.
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{M}\p{DI}\u2800]/u;

/** Can a reader see anything of it? */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

// U+202A to U+202E and U+2066 to U+2069 reorder what is shown after them.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/u;

/** Does it have characters that make a reader see its parts in another order? */
export function isTurned(text: string): boolean {
  return TURNING.test(text);
}

/** Like `anyText`, and with a visible character. */
export function text(max: number) {
  return anyText(max)
    .refine(isVisible, { error: ({ input }) => (typeof input === 'string' && input.trim() !== '' ? 'must have a visible character' : 'must not be empty') })
    .meta({ minLength: 1 });
}

const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
// Of Cyrillic letters after a dot only those that end domains: “Д.Петров” and “гр.София” are none.
const HOST =
  /[\p{L}\p{M}\p{N}_-][.。](?:(?!\p{Script=Cyrillic})\p{L}){2}|[.。](?:бг|рф|срб|укр|мкд|мон|бел|рус|ею|ком|орг|онлайн|сайт|дети|москва)(?![\p{L}\p{N}])/iu;
const LINK = /:\/\/|(?<!\p{L})(?:https?|mailto|tel):|\d{1,3}(?:[.。]\d{1,3}){3}/iu;
const PHONE = /(?:\+|(?<![\p{L}\d])0)(?:[\s()./-]*\d){8}/u;

/** Does it lead anywhere, as mail programs read it: by a link, a host (also that of an e-mail address), or a telephone number? */
function hasAddress(text: string): boolean {
  // Look-alikes become what they look like, and what is shown as nothing goes.
  const plain = text.normalize('NFKC').replace(/[\p{Cf}\p{DI}]/gu, '');
  return [HOST, LINK, PHONE].some((address) => address.test(plain));
}

/** What goes into the headers and words of mails as a name: one line, in one direction, that leads nowhere. */
export function isPlainName(text: string): boolean {
  return !NOT_ONE_LINE.test(text) && !hasAddress(text);
}

const NO_ADDRESS = 'must have no web or e-mail address and no telephone number; put a space after a dot';

/** Like `text`, for a name of people, shops and companies. */
export function nameText(max: number) {
  return text(max)
    .refine((name) => !NOT_ONE_LINE.test(name), 'must be one line, without characters that change the direction of what is read')
    .refine((name) => !hasAddress(name), NO_ADDRESS);
}

// Of a property in the cadastre: place, district, property, and perhaps building and unit. It looks like a telephone number or the address of a host.
const CADASTRAL = /(?<![\d.])\d{5}(?:\.\d{1,4}){2}(?:\.\d{1,3}){0,2}(?!\.?\d)/g;

/** Like `text`, for a postal address. */
export function postalText(max: number) {
  return text(max).refine((address) => !isTurned(address) && !hasAddress(address.replace(CADASTRAL, 'x')), NO_ADDRESS);
}
