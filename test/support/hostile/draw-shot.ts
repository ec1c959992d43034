import { Dice } from './dice.ts';
import type { Family } from './families.ts';
import { forgedShots } from './forged-shots.ts';
import { largeShots } from './large-shots.ts';
import type { Merchants } from './merchant.ts';
import { opsShots } from './ops-shots.ts';
import { orderShots } from './order-shots.ts';
import { relabelledShots } from './relabelled-shots.ts';
import type { Shot } from './shot.ts';

/** What all requests of one run are drawn from. */
export type Source = { seed: number; plan: readonly Family[]; merchants: Merchants; adminToken: string };

/** One draw: the n-th request of the run. */
export type Draw = Source & { n: number; dice: Dice };

export type Draws = Partial<Record<Family, (draw: Draw) => Omit<Shot, 'family'>>>;

const draws: Draws = { ...orderShots, ...relabelledShots, ...forgedShots, ...largeShots, ...opsShots };

/** The n-th request: the same for the same seed, whatever became of those before it. Only times and signatures of times differ. */
export function drawShot(source: Source, n: number): Shot {
  const family = source.plan[n];
  const draw = family === undefined ? undefined : draws[family];
  if (family === undefined || draw === undefined) throw new Error(`no request is drawn for ${family ?? `number ${n}`}`);
  return { family, ...draw({ ...source, n, dice: new Dice(Math.imul(source.seed + 1, 0x9e3779b1) ^ Math.imul(n + 1, 0x85ebca6b)) }) };
}
