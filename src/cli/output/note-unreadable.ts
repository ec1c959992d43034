import type { CliContext } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';

/** Orders that a list leaves out because their rows can't be read. */
export function noteUnreadable(context: CliContext, rows: readonly Error[]): void {
  for (const { message } of rows) note(context, `One order is not listed: ${message}`);
}
