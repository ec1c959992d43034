import fc from 'fast-check';

const acts = [
  ...['sell', 'sell', 'sell', 'sell', 'sell', 'remove', 'remove', 'replace', 'replace', 'replace', 'again'],
  ...['setting', 'header', 'deliver', 'generate', 'generate', 'file', 'file', 'reject', 'missing'],
] as const;

/** One thing that happens at a minute of a scenario. The numbers say which order, which month, how much: anyone who plays it takes what there is then. */
export type Step = {
  minute: number;
  act: (typeof acts)[number];
  shop: number;
  pick: number;
  cents: number;
  /** 0 to 99. */
  part: number;
  chance: number;
  minutesAgo: number;
};

/** Two years. */
const MINUTES = 730 * 24 * 60;
const STEPS = 240;
const DAY = 24 * 60;

const step = fc.record({
  minute: fc.oneof(
    fc.nat(MINUTES),
    fc.nat(730).map((day) => Math.min(MINUTES, day * DAY + 22 * 60 - 5 + (day % 60))),
  ),
  act: fc.constantFrom(...acts),
  shop: fc.nat(1),
  pick: fc.nat(10_000),
  cents: fc.integer({ min: 100, max: 9_999 }),
  part: fc.nat(99),
  chance: fc.nat(99),
  minutesAgo: fc.oneof(fc.constant(0), fc.nat(3 * DAY), fc.nat(50 * DAY)),
});

// Without fast-check's preference for small numbers, which would put half of the scenario into its first hour.
const scenarios = fc.noBias(fc.array(step, { minLength: STEPS, maxLength: STEPS })).map((steps) => steps.toSorted((a, b) => a.minute - b.minute));

/** The scenario of a seed. */
export function scenarioOf(seed: number): Step[] {
  return fc.sample(scenarios, { seed, numRuns: 1 }).flat();
}

/** The fewest steps found, within so many tries, that still fail. */
export async function shortened(steps: readonly Step[], fails: (steps: readonly Step[]) => Promise<boolean>, tries: number): Promise<readonly Step[]> {
  let rest = steps;
  let left = tries;
  for (let size = Math.ceil(rest.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < rest.length && left > 0; left -= 1) {
      const fewer = [...rest.slice(0, at), ...rest.slice(at + size)];
      if (await fails(fewer)) rest = fewer;
      else at += size;
    }
  return rest;
}
