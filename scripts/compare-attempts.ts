/**
 * Makes the same random attempts with this code and with that of another checkout, and reports where they differ: `npm run attempts -- --against DIRECTORY`.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { processOrder } from '../src/bridge/delivery/process-order.ts';
import { canonicalText } from '../src/bridge/order/facts/canonical-text.ts';
import { Failure } from '../src/bridge/order/facts/failure.ts';
import { storefronts } from '../src/bridge/storefronts/registry.ts';
import { type AttemptCase, attemptCases } from '../test/support/attempts/attempt-cases.ts';
import { type Visitor, type Watched, watchAttempt } from '../test/support/attempts/watched-attempt.ts';
import { AttemptCount } from './attempts/attempt-count.ts';

const mine: Visitor = { attempt: processOrder, Failure, storefronts };

/** The attempts of another checkout. */
async function visitorOf(directory: string): Promise<Visitor> {
  const file = join(directory, 'src/bridge/delivery/process-order.ts');
  if (!existsSync(file)) throw new Error(`${file} does not exist: only a checkout whose attempts have the names of today can be compared`);
  const { processOrder: attempt } = (await import(file)) as { processOrder: typeof processOrder };
  const { Failure: ofTheirs } = (await import(join(directory, 'src/bridge/order/facts/failure.ts'))) as Pick<Visitor, 'Failure'>;
  const registry = (await import(join(directory, 'src/bridge/storefronts/registry.ts'))) as Pick<Visitor, 'storefronts'>;
  return { attempt, Failure: ofTheirs, storefronts: registry.storefronts };
}

function firstDifference(before: Watched, after: Watched): string {
  const length = Math.max(before.calls.length, after.calls.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => canonicalText(before.calls[i] ?? null) !== canonicalText(after.calls[i] ?? null));
  const [was, is] = at === undefined ? [before.end, after.end] : [before.calls[at], after.calls[at]];
  return `${at === undefined ? 'the end' : `call ${at + 1}`} was\n  ${canonicalText(was ?? 'none')}\nand is\n  ${canonicalText(is ?? 'none')}`;
}

const { values } = parseArgs({
  options: { against: { type: 'string' }, count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
if (values.against === undefined) throw new Error('say which checkout to compare with: --against DIRECTORY');
const theirs = await visitorOf(resolve(values.against));
const count = new AttemptCount();
const property = fc.asyncProperty(attemptCases, async (attempt: AttemptCase) => {
  const [before, after] = [await watchAttempt(attempt, theirs), await watchAttempt(attempt, mine)];
  count.add(before);
  if (canonicalText(before) !== canonicalText(after)) throw new Error(firstDifference(before, after));
});
const result = await fc.check(property, { numRuns: Number(values.count), seed: Number(values.seed) });
console.log(count.lines().join('\n'));
if (result.failed) {
  console.error(String(result.errorInstance), '\n', await fc.asyncDefaultReportMessage(result));
  process.exitCode = 1;
} else console.log(`${result.numRuns} attempts, seed ${result.seed}: no difference`);
