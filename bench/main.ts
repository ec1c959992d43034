import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureBacklog } from './backlog.ts';
import { bridgeAll, bridgeOf, bridgeSplit, type Contestant, floor, plain, plainSplit } from './contestants.ts';
import { type Accepted, type EndToEnd, measureAccept, measureEndToEnd, measureSteady } from './measure.ts';
import { type Options, readOptions } from './options.ts';
import type { LoadResult } from './processes/messages.ts';
import { judge, print, type Results } from './report.ts';
import { openStage, type Stage } from './stage.ts';
import { measureStartup } from './startup.ts';

const STEADY_PER_SECOND = 500;

const options = readOptions(process.argv.slice(2));
if (options !== null) await bench(options);

async function bench(chosen: Options): Promise<void> {
  await using stage = await openStage(chosen);
  const accept: Record<string, Accepted[]> = {};
  const endToEnd: Record<string, EndToEnd[]> = {};
  const others = chosen.against === null ? [] : [bridgeOf(chosen.against)];
  // One after the other in each round, in reverse in the next, so that disturbances of the machine affect all alike.
  for (let round = 0; round < chosen.rounds; round += 1) {
    for (const contestant of turn(round, [floor, plain, bridgeSplit, ...others])) await measured(accept, contestant, () => measureAccept(stage, contestant));
    for (const contestant of turn(round, [plain, bridgeSplit, ...others, plainSplit, bridgeAll])) {
      await measured(endToEnd, contestant, () => measureEndToEnd(stage, contestant));
    }
  }
  const results = { options: chosen, machine: machine(), accept, endToEnd, ...(await once(stage)) };
  const judged: Results = {
    ...results,
    aims: judge(results, { floor: floor.name, plain: plain.name, bridge: bridgeSplit.name, other: others[0]?.name ?? null }),
  };
  print(judged);
  if (chosen.json !== null) writeFileSync(chosen.json, `${JSON.stringify(judged, null, 2)}\n`);
}

async function once(stage: Stage): Promise<Pick<Results, 'steady' | 'backlog' | 'startup'>> {
  const steady: Record<string, LoadResult> = {};
  for (const contestant of [plain, bridgeSplit]) {
    say(`${STEADY_PER_SECOND}/s: ${contestant.name}`);
    steady[contestant.name] = await measureSteady(stage, contestant, STEADY_PER_SECOND);
  }
  say('start to ready');
  const startup = await measureStartup(stage);
  const { backlog } = stage.options;
  if (backlog > 0) say(`backlog of ${backlog}`);
  return { steady, startup, backlog: backlog > 0 ? await measureBacklog(stage, backlog) : null };
}

async function measured<T>(into: Record<string, T[]>, { name }: Contestant, measure: () => Promise<T>): Promise<void> {
  const result = await measure();
  into[name] ??= [];
  into[name].push(result);
  say(`${name}: ${JSON.stringify(result, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))}`);
}

function turn(round: number, contestants: readonly Contestant[]): readonly Contestant[] {
  return round % 2 === 0 ? contestants : contestants.toReversed();
}

function machine(): Results['machine'] {
  return { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
}

function say(words: string): void {
  console.error(words);
}
