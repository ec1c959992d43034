import { z } from 'zod';

// XML 1.0, the format of the audit file, has no control characters; PostgreSQL refuses the first of them.
const UNWRITABLE = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u;

/** Text of 0 to `max` characters that a database and an XML file can carry. */
export function anyText(max: number) {
  return z
    .string()
    .max(max, `must be ${max} characters at most`)
    .refine((text) => text.isWellFormed() && !UNWRITABLE.test(text), 'must not contain control characters or broken Unicode');
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
