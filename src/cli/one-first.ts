import type { HeldBack, Patience } from '../operations/one-first.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';
import { heldText } from './text/held-text.ts';
import { wordsFor } from './words/words.ts';

/** The flags of commands that release many orders. `wait` is in seconds. */
export type OneFirstOptions = { allAtOnce?: true; wait?: number };

export const ALL_AT_ONCE = ['--all-at-once', 'release all together, although they are more than 20'] as const;
export const WAIT = ['--wait <seconds>', 'how long to wait for what becomes of the order that goes first (default: 60)'] as const;

const WAIT_SECONDS = 60;

/** How the order that goes first is waited for; null: none goes first. */
export function patienceOf(context: CliContext, { allAtOnce, wait = WAIT_SECONDS }: OneFirstOptions): Patience | null {
  if (allAtOnce === true) return null;
  const onTry: Patience['onTry'] = ({ id, number }) => note(context, wordsFor(context).work.many.first(number ?? `id:${id}`, wait));
  return { waitMs: wait * 1000, signal: context.signal, onTry };
}

/** What stays parked, and why, for a command that did what it was for. */
export function noteHeld(context: CliContext, held: readonly HeldBack[] | undefined): void {
  for (const one of held ?? []) note(context, heldText(one, WAIT_SECONDS, context));
}

/** Ends the command with what stays parked, and why. */
export function reportHeld(context: CliContext, held: readonly HeldBack[] | undefined, { wait = WAIT_SECONDS }: OneFirstOptions): void {
  if (held === undefined || held.length === 0) return;
  throw new CliError(held.map((one) => heldText(one, wait, context)).join('\n'));
}
