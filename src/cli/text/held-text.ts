import type { HeldBack, Tried } from '../../operations/one-first.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateName } from '../../operations/words/state-words.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { en } from '../words/en.ts';

/** Why orders stay in review, and what releases them. */
export function heldText({ connectionId, codes, orders, tried }: HeldBack, waitSeconds: number): string {
  const { many: say } = en.work;
  const why = tried.map((one) => triedText(one, waitSeconds)).join('; ');
  const commands = codes.map((code) => `\`orderbridge release --code ${code} --connection ${connectionId}\``).join(` ${say.and} `);
  return `${say.stay(orders, connectionId, codes.join(', '))}: ${why}. ${say.goesOn(commands)}`;
}

function triedText({ order: { id, number }, state, code, detail }: Tried, waitSeconds: number): string {
  const { many: say } = en.work;
  const name = number === null ? `id:${id}` : oneLine(number);
  if (state === null) return say.undecided(name, waitSeconds);
  if (code === null) return say.became(name, stateName(state, 'en'));
  return say.becameAs(name, stateName(state, 'en'), `${code}: ${oneLine(problemWords({ code, detail: detail ?? '' }, 'en'))}`);
}
