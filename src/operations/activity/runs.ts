import type { Activity } from './list-activity.ts';

/** Between two acts of a run. */
const GAP_MS = 60_000;

/** The same that one of them did to one thing after another, as a bulk action does; the newest first. */
type ActRun = readonly [Activity, ...Activity[]];

/** So many runs of acts that are the newest first, and how many of the acts are in them: a list goes on after those. */
export function runsOf(acts: readonly Activity[], most: number): { runs: ActRun[]; acts: number } {
  const runs: [Activity, ...Activity[]][] = [];
  for (const [place, act] of acts.entries()) {
    const run = runs.find((one) => goesOn(one, act));
    if (run !== undefined) run.push(act);
    else if (runs.length === most) return { runs, acts: place };
    else runs.push([act]);
  }
  return { runs, acts: acts.length };
}

// Each change of settings differs from the others.
function goesOn(run: ActRun, act: Activity): boolean {
  const last = run.at(-1) ?? run[0];
  const isSame = (['trail', 'who', 'act', 'why'] as const).every((field) => last[field] === act[field]);
  return isSame && last.order !== null && act.order !== null && Date.parse(last.at) - Date.parse(act.at) <= GAP_MS;
}
