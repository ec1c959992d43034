import { z } from 'zod';
import type { Place, Sealer } from '../../platform/seal.ts';

export type SealedColumn = { sealer: Pick<Sealer, 'open'>; sealed: string; place: Place };

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
