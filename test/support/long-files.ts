import { globSync, readFileSync } from 'node:fs';

/** What runs alone on the machine, because it holds the program to limits of time. */
export const BATTERIES = 'test/long/batteries/*.test.ts';

const SHORT_OF_BATTERIES = /^test\/e2e\/(hostile|missed|killed-pages|grants)\.test\.ts$/;

/** What `npm run test:long` runs beside them: what is long by itself, and with their full counts the files that ask how large the run is. */
export function longFiles(): string[] {
  const asking = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes('/support/run-size.ts'));
  const others = globSync('test/long/**/*.test.ts').filter((file) => !file.startsWith('test/long/batteries/'));
  return [...new Set([...others, ...asking.filter((file) => !file.startsWith('test/long/') && !SHORT_OF_BATTERIES.test(file))])].sort();
}
