import type { CliContext } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';
import { wordsFor } from '../words/words.ts';

/** Says why orders that were changed are not decided at once; null: they are. */
export function noteUnwoken(context: CliContext, unwoken: string | null): void {
  if (unwoken !== null) note(context, wordsFor(context).work.core.unwoken(unwoken));
}
