import { startPostgres } from '../servers/postgres.ts';
import { startAuditWorld } from '../worlds/audit-world.ts';
import { HeldToRules } from './held-to-rules.ts';
import { wrongFiles } from './judge-files.ts';
import { MonthRules } from './month-rules.ts';
import { playWalk } from './play-walk.ts';
import { ServiceSide } from './service-side.ts';
import type { Side } from './walk-side.ts';
import { type Step, shortened, walkOf } from './walk-steps.ts';
import { WalkedShops } from './walked-shops.ts';

/** Seeds from `seed` on, a walk each. `tries`: how many walks may be played to find the smallest story of one that failed. */
export type WalksAsked = { count: number; seed: number; tries: number };

/** What is wrong with the first walk that fails, with its seed and its smallest story; null: all hold. */
export async function checkServiceWalks({ count, seed, tries }: WalksAsked): Promise<string | null> {
  await using postgres = await startPostgres();
  const wrongWalk = async (steps: readonly Step[]) => {
    await using world = await startAuditWorld(await postgres.createDatabase('service'), '2025-11-17T10:00:00Z');
    return await wrongOf(new HeldToRules(await ServiceSide.open(world), new MonthRules()), steps);
  };
  return await check({ count, seed, tries }, wrongWalk);
}

/** The same walks against the rules alone. */
export function checkRules(asked: WalksAsked): Promise<string | null> {
  return check(asked, (steps) => wrongOf(new MonthRules(), steps));
}

async function check({ count, seed, tries }: WalksAsked, wrongWalk: (steps: readonly Step[]) => Promise<string | null>): Promise<string | null> {
  for (let one = seed; one < seed + count; one += 1) {
    const steps = walkOf(one);
    const wrong = await wrongWalk(steps);
    if (wrong === null) continue;
    const fewest = await shortened(steps, async (fewer) => (await wrongWalk(fewer)) !== null, tries);
    return `seed ${one}: ${await wrongWalk(fewest)}`;
  }
  return null;
}

async function wrongOf(side: Side, steps: readonly Step[]): Promise<string | null> {
  const shops = new WalkedShops();
  const wrong = await wrongEnd(side, steps, shops).catch((error: unknown) =>
    error instanceof Error && error.cause ? `${error.message}: ${String(error.cause)}` : String(error),
  );
  return wrong === null ? null : `${wrong}\n  ${shops.story.join('\n  ')}`;
}

async function wrongEnd(side: Side, steps: readonly Step[], shops: WalkedShops): Promise<string | null> {
  const months = await playWalk(side, steps, shops);
  const numbers = await side.numbers();
  for (const [id, { document }] of shops.standing) if (numbers.get(id) !== document) return `${id} got ${document}, and has ${numbers.get(id)}`;
  return wrongFiles(await months.filed(), shops);
}
