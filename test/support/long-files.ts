import { globSync, readFileSync } from 'node:fs';

/** What runs alone on the machine, because it holds the program to limits of time. */
export const BATTERIES = ['test/e2e/{grants,hostile,killed-pages,missed}.test.ts', 'test/long/{many-stores,missed-*,three-machines}.test.ts'];

/** Files that ask how large the run is, and those that look at pages in each way. */
const SIZED = /\/support\/(run-size|long-test)\.ts|\bwrong(In|ForMerchant)\b/;

/** What `npm run test:long` runs beside them: what is long by itself, and with their full counts the files that have one. */
export function longFiles(): string[] {
  const batteries = globSync(BATTERIES);
  const files = globSync('test/**/*.test.ts').filter((file) => file.startsWith('test/long/') || SIZED.test(readFileSync(file, 'utf8')));
  return files.filter((file) => !batteries.includes(file)).sort();
}
