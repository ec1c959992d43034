import { z } from 'zod';
import type { Sealer } from '../../platform/seal.ts';

/** JSON in a sealed column. A wrong key throws; an error about the content names its field alone. */
export function sealedJson<Content>(sealer: Pick<Sealer, 'open'>, content: z.ZodType<Content>) {
  return z
    .string()
    .transform((sealed): unknown => JSON.parse(sealer.open(sealed)))
    .pipe(content);
}
