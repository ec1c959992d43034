import { startPostgres } from '../servers/postgres.ts';
import { startAuditWorld } from '../worlds/audit-world.ts';
import { HeldToRules } from './held-to-rules.ts';
import { wrongFiles } from './judge-files.ts';
import { MonthRules } from './month-rules.ts';
import { playScenario } from './play-scenario.ts';
import { ScenarioShops } from './scenario-shops.ts';
import type { Side } from './scenario-side.ts';
import { type Step, scenarioOf, shortened } from './scenario-steps.ts';
import { ServiceSide } from './service-side.ts';

/** Seeds from `seed` on, a scenario each. `tries`: how many scenarios may be played to find the smallest story of one that failed. `share`: of the two years, all if absent. */
export type ScenariosAsked = { count: number; seed: number; tries: number; share?: number };

/** What is wrong with the first scenario that fails, with its seed and its smallest story; null: all hold. */
export async function checkServiceScenarios(asked: ScenariosAsked): Promise<string | null> {
  await using postgres = await startPostgres();
  const wrongScenario = async (steps: readonly Step[]) => {
    await using world = await startAuditWorld(await postgres.createDatabase('service'), '2025-11-17T10:00:00Z');
    return await wrongOf(new HeldToRules(await ServiceSide.open(world), new MonthRules()), steps);
  };
  return await check(asked, wrongScenario);
}

/** The same scenarios against the rules alone. */
export function checkRules(asked: ScenariosAsked): Promise<string | null> {
  return check(asked, (steps) => wrongOf(new MonthRules(), steps));
}

async function check(
  { count, seed, tries, share = 1 }: ScenariosAsked,
  wrongScenario: (steps: readonly Step[]) => Promise<string | null>,
): Promise<string | null> {
  for (let one = seed; one < seed + count; one += 1) {
    const all = scenarioOf(one);
    const steps = all.slice(0, all.length * share);
    const wrong = await wrongScenario(steps);
    if (wrong === null) continue;
    const fewest = await shortened(steps, async (fewer) => (await wrongScenario(fewer)) !== null, tries);
    return `seed ${one}: ${await wrongScenario(fewest)}`;
  }
  return null;
}

async function wrongOf(side: Side, steps: readonly Step[]): Promise<string | null> {
  const shops = new ScenarioShops();
  const wrong = await wrongEnd(side, steps, shops).catch((error: unknown) =>
    error instanceof Error && error.cause ? `${error.message}: ${String(error.cause)}` : String(error),
  );
  return wrong === null ? null : `${wrong}\n  ${shops.story.join('\n  ')}`;
}

async function wrongEnd(side: Side, steps: readonly Step[], shops: ScenarioShops): Promise<string | null> {
  const months = await playScenario(side, steps, shops);
  const numbers = await side.numbers();
  for (const [id, { document }] of shops.current) if (numbers.get(id) !== document) return `${id} got ${document}, and has ${numbers.get(id)}`;
  return wrongFiles(await months.filed(), shops);
}
