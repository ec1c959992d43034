import { bridges, type Contestant, floor, kept, keptSplit, type Layout, plain, plainSplit, tracedPair } from './contestants.ts';
import { names } from './names.ts';
import type { Options } from './options.ts';

/** One run end to end: at once, or at the pace that another contestant had at once. */
export type Entry = { contestant: Contestant; pacedBy: string | null };

/** Who takes part in what, in the order of even rounds. */
export type LineUp = { accept: Contestant[]; endToEnd: Entry[][]; steady: Contestant[]; traces: Contestant[] };

/** Entries of one group are run one after the other in each round: a quiet time is measured right after the same contestant without one. */
export function lineUp({ root, against, settle }: Pick<Options, 'root' | 'against' | 'settle'>): LineUp {
  const own = bridges(root, { all: names.all, split: names.split, label: 'orderbridge' });
  const others = against === null ? [] : [bridges(against, { all: names.otherAll, split: names.otherSplit, label: 'other' })];
  const splits = [own.split, ...others.map(({ split }) => split)];
  const alls = [own.all, ...others.map(({ all }) => all)];
  const atOnce = (layouts: readonly Layout[]) => layouts.map((layout) => layout.atOnce);
  const grouped = (layouts: readonly Layout[]) => layouts.map((layout) => entriesOf(layout, settle));
  return {
    accept: [floor, plain, kept, ...atOnce(splits)],
    endToEnd: [[entry(plain)], [entry(kept)], ...grouped(splits), ...grouped(alls), [entry(keptSplit)], [entry(plainSplit)]],
    steady: [plain, kept, ...atOnce(splits), ...atOnce(alls), keptSplit, plainSplit],
    traces: tracedPair(root),
  };
}

/** Contestants in their order, in reverse in every other round, so that disturbances of the machine affect all alike. */
export function turn<T>(round: number, all: readonly T[]): readonly T[] {
  return round % 2 === 0 ? all : all.toReversed();
}

function entriesOf({ atOnce, settled }: Layout, settle: Options['settle']): Entry[] {
  if (settle === '0') return [entry(atOnce)];
  if (settle === '5') return [{ contestant: settled, pacedBy: plain.name }];
  return [entry(atOnce), { contestant: settled, pacedBy: atOnce.name }];
}

function entry(contestant: Contestant): Entry {
  return { contestant, pacedBy: null };
}
