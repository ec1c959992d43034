/** The bounds of a wait that doubles with each failure in a row. */
export type Backoff = { firstMs: number; mostMs: number };

/** How long to wait after so many failures in a row: doubling, with jitter. `random` in [0, 1). */
export function backoffMs({ firstMs, mostMs }: Backoff, failures: number, random: number): number {
  return Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 40), mostMs) * (0.5 + random / 2));
}
