/** A span as the queue takes it: whole ms, not below 0. */
export function wholeMs(ms: number): number {
  return Math.max(0, Math.ceil(ms));
}
