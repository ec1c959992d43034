import { sum } from '../../../contract/money.ts';

/** More things than this are only looked at alone and all together. */
const MOST = 10;

/** Every choice of these things that is worth the amount, those of the first things first; a choice has at least one. */
export function subsetsWorth<Thing>(things: readonly Thing[], worth: (thing: Thing) => bigint, amount: bigint): Thing[][] {
  return choicesOf(things).filter((choice) => sum(choice.map(worth)) === amount);
}

/** Every choice of at least one thing. */
export function choicesOf<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length > MOST) return [...things.map((thing) => [thing]), [...things]];
  const masks = Array.from({ length: 2 ** things.length - 1 }, (_, index) => index + 1);
  return masks.map((mask) => things.filter((_, nth) => (mask >> nth) % 2 === 1));
}
