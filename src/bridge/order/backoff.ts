const CAP_MS = 10 * 60_000;

/** How long to wait after so many failures in a row: doubling from one second to ten minutes, with jitter. `random` in [0, 1). */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(1_000 * 2 ** Math.min(failures - 1, 20), CAP_MS);
  return Math.round(full * (0.5 + random / 2));
}
