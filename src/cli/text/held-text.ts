import type { HeldBack, Tried } from '../../operations/one-first.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateName } from '../../operations/words/state-words.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { plural } from './plural.ts';

/** Why orders stay in review, and what releases them. */
export function heldText({ connectionId, codes, orders, tried }: HeldBack, waitSeconds: number): string {
  const why = tried.map((one) => triedText(one, waitSeconds)).join('; ');
  const commands = codes.map((code) => `\`orderbridge release --code ${code} --connection ${connectionId}\``).join(` and `);
  return `${plural(orders, 'more order')} of ${connectionId} (${codes.join(', ')}) ${orders === 1 ? 'stays' : 'stay'} in review: ${why}. Once the cause is put right, ${commands} goes on.`;
}

function triedText({ order: { id, number }, state, code, detail }: Tried, waitSeconds: number): string {
  const name = number === null ? `id:${id}` : oneLine(number);
  if (state === null)
    return `the order ${name} went first and was not decided within ${waitSeconds} s (\`orderbridge status\` says whether anything works on it)`;
  if (code === null) return `the order ${name} went first and is ${stateName(state, 'en')}`;
  return `the order ${name} went first and is ${stateName(state, 'en')} as ${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`;
}
