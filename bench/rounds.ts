import type { Rounds } from './figures.ts';
import { type Entry, lineUp, turn } from './line-up.ts';
import { type Accepted, type EndToEnd, measureAccept, measureEndToEnd, measureSteady } from './measure.ts';
import type { LoadResult } from './processes/messages.ts';
import type { Stage } from './stage.ts';

export const STEADY_PER_SECOND = 500;

/** By contestant. */
export type Measured = { accept: Rounds<Accepted>; endToEnd: Rounds<EndToEnd>; steady: Rounds<LoadResult> };

/** All contestants in each round, one after the other; what was measured so far is in `measured`, whatever is thrown. */
export async function measureRounds(stage: Stage, measured: Measured): Promise<void> {
  const { rounds, parts } = stage.options;
  const { accept, endToEnd, steady, traces } = lineUp(stage.options);
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = <T>(part: string, all: readonly T[]): readonly T[] => (parts.some((each) => each === part) ? turn(round, all) : []);
    for (const each of inTurn('accept', accept)) keep(measured.accept, each.name, await measureAccept(stage, each));
    for (const group of inTurn('e2e', endToEnd)) await measureGroup(stage, group, measured.endToEnd);
    for (const each of inTurn('traces', traces)) keep(measured.endToEnd, each.name, await measureEndToEnd(stage, each, null));
    for (const each of inTurn('steady', steady)) keep(measured.steady, each.name, await measureSteady(stage, each, STEADY_PER_SECOND));
  }
}

async function measureGroup(stage: Stage, group: readonly Entry[], into: Rounds<EndToEnd>): Promise<void> {
  for (const { contestant, pacedBy } of group) {
    const pace = pacedBy === null ? null : (into[pacedBy]?.at(-1)?.recordedPerSecond ?? Number.NaN);
    keep(into, contestant.name, await measureEndToEnd(stage, contestant, pace));
  }
}

function keep<T>(into: Rounds<T>, name: string, result: T): void {
  into[name] ??= [];
  into[name].push(result);
  say(`${name}: ${JSON.stringify(result, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))}`);
}

/** Progress, beside the results. */
export function say(words: string): void {
  console.error(words);
}
