import type { MissedReport } from './run-missed.ts';

/** The table for people: what happened, then each verdict. */
export function reportLines(report: MissedReport): string[] {
  const { backend, platform, count, seed, webhooks, policy, happened, fates, faults, requests, kills, ages, verdicts } = report;
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  const judged = verdicts.flatMap(({ what, figure, held, detail }) => [
    `  ${held ? 'held  ' : 'BROKEN'}  ${what.padEnd(100)} ${figure}`,
    ...(held ? [] : [`          look at: ${detail}`]),
  ]);
  return [
    `${platform}: ${count} orders, ${happened} happenings, seed ${seed}, webhooks ${webhooks}, queue on ${backend}, orders that are off: ${policy}`,
    `  webhooks              ${listed(fates)}`,
    `  the store's API       ${requests} requests: ${listed(faults)}`,
    `  killed                ${kills.inSyncRun} times in the middle of a sync run, ${kills.other} times elsewhere`,
    `  without any webhook   ${ages.count} orders, recorded after ${ages.p50} s (median), ${ages.max} s at most`,
    '',
    ...judged,
    '',
  ];
}
