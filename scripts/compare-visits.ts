/**
 * Makes the same random visits with this code and with that of another checkout, and reports where they differ: `npm run visits -- --against DIRECTORY`.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { visitOrder } from '../src/bridge/delivery/visit-order.ts';
import { canonicalText } from '../src/bridge/order/canonical-text.ts';
import { Failure } from '../src/bridge/order/failure.ts';
import { type VisitCase, visitCases } from '../test/support/visits/visit-cases.ts';
import { type Visitor, type Watched, watchVisit } from '../test/support/visits/watched-visit.ts';
import { VisitCount } from './visits/visit-count.ts';

const mine: Visitor = { visit: visitOrder, Failure };

/** The visits of another checkout. */
async function visitorOf(directory: string): Promise<Visitor> {
  const file = join(directory, 'src/bridge/delivery/visit-order.ts');
  if (!existsSync(file)) throw new Error(`${file} does not exist: only a checkout whose visits have the names of today can be compared`);
  const { visitOrder: visit } = (await import(file)) as { visitOrder: typeof visitOrder };
  return { visit, ...((await import(join(directory, 'src/bridge/order/failure.ts'))) as Pick<Visitor, 'Failure'>) };
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
const count = new VisitCount();
const property = fc.asyncProperty(visitCases, async (visit: VisitCase) => {
  const [before, after] = [await watchVisit(visit, theirs), await watchVisit(visit, mine)];
  count.add(before);
  if (canonicalText(before) !== canonicalText(after)) throw new Error(firstDifference(before, after));
});
const result = await fc.check(property, { numRuns: Number(values.count), seed: Number(values.seed) });
console.log(count.lines().join('\n'));
if (result.failed) {
  console.error(String(result.errorInstance), '\n', await fc.asyncDefaultReportMessage(result));
  process.exitCode = 1;
} else console.log(`${result.numRuns} visits, seed ${result.seed}: no difference`);
