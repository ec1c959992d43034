import { type SettingsInput, unknownValues } from '../bridge/connections/connection-settings.ts';
import { counted, form } from '../contract/plural.ts';
import type { FirstTry, NotReleased, TriedOrder } from '../operations/one-first.ts';
import { problemWords, stateName } from '../operations/words.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { note } from '../platform/terminal/print.ts';
import { oneLine } from '../platform/terminal/text-table.ts';
import type { OneFirstOptions } from './input/shared-options.ts';

const WAIT_SECONDS = 60;

/** How the order that goes first is waited for; null: none goes first. */
export function firstTryOf(context: CliContext, { allAtOnce, wait = WAIT_SECONDS }: OneFirstOptions): FirstTry | null {
  if (allAtOnce === true) return null;
  const onTry: FirstTry['onTry'] = ({ id, number }) =>
    note(context, `Order ${number ?? `id:${id}`} goes first; waiting for what becomes of it (${wait} s at most).`);
  return { waitMs: wait * 1000, signal: context.signal, onTry };
}

/** What stays in review, and why, for a command that did what it was for. */
export function noteNotReleased(context: CliContext, notReleased: readonly NotReleased[] | undefined): void {
  for (const one of notReleased ?? []) note(context, notReleasedText(one, WAIT_SECONDS));
}

/** Ends the command with what stays in review, and why. */
export function reportNotReleased(notReleased: readonly NotReleased[] | undefined, { wait = WAIT_SECONDS }: OneFirstOptions): void {
  if (notReleased === undefined || notReleased.length === 0) return;
  throw new CliError(notReleased.map((one) => notReleasedText(one, wait)).join('\n'));
}

/** Why orders stay in review, and what releases them. */
function notReleasedText({ connectionId, codes, orders, tried }: NotReleased, waitSeconds: number): string {
  const why = tried.map((one) => triedText(one, waitSeconds)).join('; ');
  const commands = codes.map((code) => `\`orderbridge release --code ${code} --connection ${connectionId}\``).join(' and ');
  return `${counted.en(orders, 'more order', 'more orders')} of ${connectionId} (${codes.join(', ')}) ${form.en(orders, 'stays', 'stay')} in review: ${why}. Once the cause is put right, ${commands} goes on.`;
}

function triedText({ order: { id, number }, state, code, detail }: TriedOrder, waitSeconds: number): string {
  const name = number === null ? `id:${id}` : oneLine(number);
  if (state === null)
    return `the order ${name} went first and was not decided within ${waitSeconds} s (\`orderbridge status\` says whether anything works on it)`;
  if (code === null) return `the order ${name} went first and is ${stateName(state, 'en')}`;
  return `the order ${name} went first and is ${stateName(state, 'en')} as ${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`;
}

/** What our own compliance service would refuse in new settings, and another one may; null: there are none. */
export function noteSettings(context: CliContext, settings: SettingsInput | null): void {
  for (const { words } of settings === null ? [] : unknownValues(settings)) note(context, `! ${words.en}`);
}
