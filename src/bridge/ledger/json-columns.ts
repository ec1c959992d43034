import { z } from 'zod';
import type { SealedPlace, Sealer } from '../../platform/seal.ts';

// PostgreSQL's jsonb refuses U+0000 and lone surrogates; both come in real order texts. Escaped backslashes are matched first and kept.
const UNSTORABLE = /\\\\|\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** JSON text that jsonb takes: characters it can't store become U+FFFD. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly always there is none, and looking for two characters is many times faster than matching.
  return text.includes('\\u') ? text.replace(UNSTORABLE, (match) => (match === '\\\\' ? match : '\\ufffd')) : text;
}

/** A value of JSON as jsonb will give it back, key order aside. */
export function asStored<T>(value: T): T {
  // Nearly always it is the same, and nothing needs to be read anew.
  return JSON.stringify(value).includes('\\u') ? JSON.parse(jsonText(value)) : value;
}

/** Text as jsonb will give it back: what identifies an order must be the same before and after it was stored. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

type SealedColumn = { sealer: Pick<Sealer, 'open'>; sealed: string; place: SealedPlace };

/** The JSON of a sealed column, for the transform of its row. Throws `SealBroken` if it does not open; an error about the content names its field alone. */
export function openJson<Content>({ sealer, sealed, place }: SealedColumn, content: z.ZodType<Content>, context: z.RefinementCtx): Content {
  const read = content.safeParse(parsed(sealer.open(sealed, place)));
  if (read.success) return read.data;
  for (const { path } of read.error.issues) context.addIssue({ code: 'custom', path: [place.column, ...path], message: 'not as expected' });
  return z.NEVER;
}

// The engine's own error quotes what it could not parse.
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
