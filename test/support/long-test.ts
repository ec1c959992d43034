import { type TestContext, test } from 'vitest';
import { IS_LONG } from './run-size.ts';

/** A test of `npm run test:long`; elsewhere there is none, rather than one that is skipped. */
export function longTest(name: string, body: (context: TestContext) => void | Promise<void>): void {
  if (IS_LONG) test(name, body);
}
