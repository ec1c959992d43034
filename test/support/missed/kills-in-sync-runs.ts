import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../hostile/dice.ts';
import type { LivingShop } from './living-shop.ts';
import type { MissedStage } from './missed-stage.ts';

export type Killed = { inSyncRun: number; other: number };
export type Killing = {
  /** So much of the life is over. */
  due(share: number): void;
  /** When the last one that began is over. */
  done(): Promise<Killed>;
};

/** If no sync run comes so soon, it is killed without. */
const LONGEST_WAIT_MS = 20_000;
const LONGEST_DOWN_MS = 9_000;

/** Kills the program some times, spread over the life of the store, each time while a page of a sync run is being asked for. */
export function killsInSyncRuns({ front, killFor }: MissedStage, shop: LivingShop, { kills, dice }: { kills: number; dice: Dice }): Killing {
  const killed: Killed = { inSyncRun: 0, other: 0 };
  let begun = 0;
  let running: Promise<void> = Promise.resolve();
  const killOnce = async (): Promise<void> => {
    const nth = 1 + dice.below(3);
    const isInSyncRun = await Promise.race([pages(nth), sleep(LONGEST_WAIT_MS, false, { ref: false })]);
    front.onRequest = () => undefined;
    killed[isInSyncRun ? 'inSyncRun' : 'other'] += 1;
    await killFor(dice.below(LONGEST_DOWN_MS));
  };
  // The request after the nth page: the page was read, and what it showed is on its way.
  const pages = (nth: number) =>
    new Promise<boolean>((resolve) => {
      let seen = 0;
      front.onRequest = ({ path, body }) => {
        if (seen >= nth || (seen > 0 && !shop.isPage({ path, body }))) resolve(true);
        if (shop.isPage({ path, body })) seen += 1;
      };
    });
  return {
    due: (share) => {
      if (share < (begun + 0.5) / (kills + 0.5) || begun === kills) return;
      begun += 1;
      running = running.then(killOnce);
    },
    done: async () => {
      await running;
      return killed;
    },
  };
}
