import { Dice } from './dice.ts';
import { MOST_HANGING } from './hostile-limits.ts';

/** The kinds of requests, by how often each is drawn. */
const weights = {
  'order, in a burst': 170,
  'order, app': 130,
  'order, plugin': 80,
  'order, captured': 20,
  'order, shop refused': 30,
  'order, store hangs': 20,
  'order again': 30,
  ping: 5,
  redaction: 35,
  relabelled: 50,
  forged: 100,
  unsigned: 50,
  'signed too early': 15,
  'many signatures': 15,
  'not JSON': 60,
  'other content type': 10,
  compressed: 25,
  oversized: 4,
  'heavy body': 2,
  'half sent': 12,
  'unknown id': 90,
  'odd path': 40,
  'wrong password': 20,
  'cross-site': 10,
  scrape: 30,
} as const;

export type Family = keyof typeof weights;

export const families: readonly Family[] = Object.keys(weights).filter((name): name is Family => name in weights);

/** Orders whose bodies are sent again under another name: without one, that would be an order that nobody sent. */
const CAPTURED: Partial<Record<Family, number>> = { 'order, captured': 1, 'order, plugin': 1 };

/** Drawn at least so often, however short the run: one of each form. */
const LEAST: Partial<Record<Family, number>> = {
  'heavy body': 3,
  oversized: 2,
  'many signatures': 2,
  'cross-site': 6,
  redaction: 10,
  relabelled: 10,
  ...CAPTURED,
};

/** `without`: families of whose requests orders take the place. */
export type Planning = { seed: number; without?: readonly string[] };

/** The family of each request, in order. */
export function planFamilies(count: number, { seed, without = [] }: Planning): Family[] {
  const dice = new Dice(seed);
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const plan: Family[] = [];
  let hanging = 0;
  for (let n = 0; n < count; n += 1) {
    const drawn = familyAt(dice.next() * total);
    if (drawn === 'order, store hangs') hanging += 1;
    plan.push(drawn === 'order, store hangs' && hanging > MOST_HANGING ? 'order, in a burst' : drawn);
  }
  for (const [family, least] of Object.entries(LEAST)) atLeast(plan, { family: family as Family, least, dice });
  return plan.map((family) => (without.includes(family) ? 'order, in a burst' : family));
}

function familyAt(place: number): Family {
  let left = place;
  for (const family of families) {
    left -= weights[family];
    if (left < 0) return family;
  }
  return 'unknown id';
}

type Least = { family: Family; least: number; dice: Dice };

function atLeast(plan: Family[], { family, least, dice }: Least): void {
  let missing = least - plan.filter((one) => one === family).length;
  while (missing-- > 0 && plan.length > 0) plan[dice.below(plan.length)] = family;
}
