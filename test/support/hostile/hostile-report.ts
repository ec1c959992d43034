import type { HostileReport } from './run-hostile.ts';

/** The table for people: each family with its answers, then each verdict. */
export function reportLines({ backend, count, seed, flood, verdicts }: HostileReport): string[] {
  const families = Object.entries(flood.answers).map(([family, answers]) => {
    const statuses = Object.entries(answers).map(([status, times]) => `${status === '0' ? 'none' : status} × ${times}`);
    return `  ${family.padEnd(22)}${statuses.join(', ')}`;
  });
  const judged = verdicts.flatMap(({ what, figure, held, detail }) => [
    `  ${held ? 'held  ' : 'BROKEN'}  ${what.padEnd(66)}${figure}`,
    ...(held ? [] : [`          look at: ${detail}`]),
  ]);
  return [`${count} requests, seed ${seed}, queue on ${backend}`, ...families, '', ...judged, ''];
}

/** What did not hold. */
export function brokenIn({ verdicts }: HostileReport): string[] {
  return verdicts.filter(({ held }) => !held).map(({ what, figure }) => `${what}: ${figure}`);
}
