import { Refusal, type RefusalKind } from '../../operations/refusal.ts';
import { errorWords } from '../../platform/error-words.ts';
import { CliError, EXIT_CONFIG } from '../../platform/terminal/context.ts';
import { textTable } from '../../platform/terminal/text-table.ts';

const exitCodes: Readonly<Record<RefusalKind, number>> = { invalid: 1, missing: 1, conflict: 1, unavailable: 1, misconfigured: EXIT_CONFIG };

/** An error for the person at the terminal, with a table to choose from if there is a choice; nothing if all is said already. `width`: its columns; undefined: it is no terminal. */
export function failureText(thrown: unknown, width?: number): string {
  if (thrown instanceof CliError && thrown.message === '') return '';
  const words = thrown instanceof Refusal ? refusalText(thrown) : errorWords(thrown);
  if (!(thrown instanceof Refusal) || thrown.choices === null) return words;
  return `${words}:\n${textTable(thrown.choices.header, thrown.choices.rows, { width }).join('\n')}`;
}

function refusalText({ said, advice }: Refusal): string {
  return advice === null ? said.en : `${said.en}; ${advice.en}`;
}

export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof Refusal) return exitCodes[thrown.kind];
  return thrown instanceof CliError ? thrown.exitCode : 1;
}
