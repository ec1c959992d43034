import { counted } from '../../contract/plural.ts';
import { MOST_NAMES } from './check.ts';
import { fewOf } from './checks/destinations.ts';
import type { FailedCheck } from './health-status.ts';

/** Puts what more than three stores have in common into one failed check, of the worst level among them; its `subject` is their cause. */
export function grouped(failedChecks: readonly FailedCheck[]): FailedCheck[] {
  const groups = Map.groupBy(failedChecks, (one) => (one.of === undefined ? one : `${one.code} ${one.of.cause}`));
  return [...groups.values()].flatMap((members) => {
    const ordered = members.toSorted(newestOfWorst);
    const [first] = ordered;
    return first?.of === undefined || members.length <= MOST_NAMES ? members : [oneOf(ordered, { first, cause: first.of.cause })];
  });
}

/** Each by itself. */
export function ungrouped(failedChecks: readonly FailedCheck[]): FailedCheck[] {
  return failedChecks.flatMap((one) => one.members ?? [one]);
}

/** Failing ones first, then those that have it for the shortest time, who are not known yet. */
function newestOfWorst(a: FailedCheck, b: FailedCheck): number {
  const [one, other] = [a.since ?? '', b.since ?? ''];
  return Number(b.level === 'failing') - Number(a.level === 'failing') || Number(one < other) - Number(one > other);
}

function oneOf(members: readonly FailedCheck[], { first, cause }: { first: FailedCheck; cause: string }): FailedCheck {
  const names = members.flatMap(({ of }) => of?.names ?? []);
  const counts = members.flatMap(({ count }) => count ?? []);
  const [since = null] = members.flatMap((one) => one.since ?? []).toSorted();
  const words = `${counted.en(names.length, 'store', 'stores')} (${fewOf(names)}): ${cause}. One of them: ${first.words}`;
  const count = counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0);
  return { code: first.code, level: first.level, subject: cause, count, total: null, since, words, verb: 'connections', of: { cause, names }, members };
}
