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

/** Like `anyText`, and more than white space. */
export function text(max: number) {
  return anyText(max)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .meta({ minLength: 1 });
}
