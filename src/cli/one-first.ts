import type { HeldBack, Patience } from '../operations/one-first.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';
import type { OneFirstOptions } from './input/one-first-flags.ts';
import { heldText } from './text/held-text.ts';

const WAIT_SECONDS = 60;

/** How the order that goes first is waited for; null: none goes first. */
export function patienceOf(context: CliContext, { allAtOnce, wait = WAIT_SECONDS }: OneFirstOptions): Patience | null {
  if (allAtOnce === true) return null;
  const onTry: Patience['onTry'] = ({ id, number }) =>
    note(context, `Order ${number ?? `id:${id}`} goes first; waiting for what becomes of it (${wait} s at most).`);
  return { waitMs: wait * 1000, signal: context.signal, onTry };
}

/** What stays in review, and why, for a command that did what it was for. */
export function noteHeld(context: CliContext, held: readonly HeldBack[] | undefined): void {
  for (const one of held ?? []) note(context, heldText(one, WAIT_SECONDS));
}

/** Ends the command with what stays in review, and why. */
export function reportHeld(held: readonly HeldBack[] | undefined, { wait = WAIT_SECONDS }: OneFirstOptions): void {
  if (held === undefined || held.length === 0) return;
  throw new CliError(held.map((one) => heldText(one, wait)).join('\n'));
}
