import { z } from 'zod';
import type { Sealer } from '../../platform/seal.ts';

/** JSON in a sealed column. A wrong key throws; an error about the content names its field alone. */
export function sealedJson<Content>(sealer: Pick<Sealer, 'open'>, content: z.ZodType<Content>) {
  return z
    .string()
    .transform((sealed, context) => parsed(sealer.open(sealed), context))
    .pipe(content);
}

// The engine's own error quotes what it could not parse.
function parsed(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' });
    return z.NEVER;
  }
}
