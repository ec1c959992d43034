import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Rounds } from '../figures.ts';
import { measureFlatOut, measureSteady, warmUp } from './measure-creates.ts';
import { fillMonths, measureMonth } from './measure-months.ts';
import { type Options, readOptions } from './options.ts';
import { judge, monthName, print, type Results } from './report.ts';
import { openStage, type Stage } from './stage.ts';
import { openSubject, type Subject } from './subject.ts';

const THIS = 'this';

const options = readOptions(process.argv.slice(2));
if (options !== null) await bench(options);

async function bench(chosen: Options): Promise<void> {
  await using stage = await openStage(chosen);
  await using subjects = new AsyncDisposableStack();
  const all = [subjects.use(await openSubject(stage, { name: THIS, root: chosen.root }))];
  if (chosen.against !== null) all.push(subjects.use(await openSubject(stage, { name: 'other', root: chosen.against })));
  const results: Results = { options: chosen, machine: machine(), one: {}, twenty: {}, steady: {}, months: {} };
  await create(stage, all, results);
  if (chosen.parts.has('month')) await months(stage, all, results);
  const aims = judge(results, THIS);
  print(results, aims);
  if (chosen.json !== null) writeFileSync(chosen.json, `${JSON.stringify({ ...results, aims }, null, 2)}\n`);
}

// One after the other in each round, in reverse in the next, so that disturbances of the machine affect all alike.
async function create(stage: Stage, all: readonly Subject[], { one, twenty, steady }: Results): Promise<void> {
  const { rounds, parts } = stage.options;
  if (!parts.has('create') && !parts.has('steady')) return;
  for (const subject of all) await warmUp(subject);
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of turn(round, all)) {
      if (parts.has('create')) {
        await measured(one, subject.name, () => measureFlatOut(stage, subject, 'one'));
        await measured(twenty, subject.name, () => measureFlatOut(stage, subject, 'twenty'));
      }
      if (parts.has('steady')) await measured(steady, subject.name, () => measureSteady(stage, subject));
    }
  }
}

async function months(stage: Stage, all: readonly Subject[], results: Results): Promise<void> {
  const filled = new Map<Subject, Map<number, string>>();
  for (const subject of all) filled.set(subject, await fillMonths(subject, stage.options.months));
  for (let round = 0; round < stage.options.rounds; round += 1) {
    for (const orders of stage.options.months) {
      for (const subject of turn(round, all)) {
        const shopId = filled.get(subject)?.get(orders) ?? '';
        await measured(results.months, monthName(subject.name, orders), () => measureMonth(stage, subject, { orders, shopId }));
      }
    }
  }
}

async function measured<T>(into: Rounds<T>, name: string, measure: () => Promise<T>): Promise<void> {
  const result = await measure();
  into[name] ??= [];
  into[name].push(result);
  say(`${name}: ${JSON.stringify(result, (_key, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))}`);
}

function turn<T>(round: number, all: readonly T[]): readonly T[] {
  return round % 2 === 0 ? all : all.toReversed();
}

function machine(): Results['machine'] {
  return { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
}

function say(words: string): void {
  console.error(words);
}
