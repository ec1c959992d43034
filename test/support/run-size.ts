/** Of everything that is drawn in this run: printed as it begins, and `TEST_SEED` draws the same again. */
export const SEED = Number(process.env['TEST_SEED'] ?? 1);

/** Whether `npm run test:long` runs. */
export const IS_LONG = process.env['TEST_LONG'] !== undefined;

/** How often something random is tried: `many` times in `npm run test:long`, else `few` times. */
export function runs(few: number, many: number): number {
  return IS_LONG ? many : few;
}

/** All of them in `npm run test:long`, else as many as are said, drawn by the seed: for cases of which each takes seconds. */
export function drawn<T>(all: readonly T[], count = 1): readonly T[] {
  const every = Math.ceil(all.length / count);
  return IS_LONG ? all : all.filter((_, at) => at % every === SEED % every);
}

/** All of them in `npm run test:long`, else none: for cases of tests that only that runs. */
export function inLong<T>(all: readonly T[]): readonly T[] {
  return IS_LONG ? all : [];
}
