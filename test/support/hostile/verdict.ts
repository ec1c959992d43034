/** One thing that must be so after or during an attack; `detail` says what to look at if it is not. */
export type Verdict = { what: string; figure: string; held: boolean; detail: string };

export const noDetail = '';

const MOST_NAMED = 8;

/** Held if there are none. */
export function noneOf(what: string, wrong: readonly string[]): Verdict {
  return { what, figure: `${wrong.length} otherwise`, held: wrong.length === 0, detail: wrong.slice(0, MOST_NAMED).join('; ') };
}
