import { writeFileSync } from 'node:fs';
import { type EndToEnd, measureEndToEnd } from '../measure.ts';
import { readOptions as readBenchOptions } from '../options.ts';
import { openStage } from '../stage.ts';
import { type DueBacklog, measureDueBacklog } from './due-backlog.ts';
import { type Ledger, makeLedgers, splitOf } from './ledgers.ts';
import { AIM, type Options, readOptions } from './options.ts';
import { median, type Ratio, ratioTo } from './ratios.ts';
import { measureUpkeep, type Upkeep } from './upkeep.ts';

const options = readOptions(process.argv.slice(2));
if (options !== null) await bench(options);

type Grown = { orders: number; bytes: number; runs: EndToEnd[]; upkeep: Upkeep | null };

async function bench(chosen: Options): Promise<void> {
  const benchOptions = readBenchOptions(['--orders', String(chosen.count), '--appendfsync', 'everysec']);
  if (benchOptions === null) return;
  await using stage = await openStage(benchOptions);
  const ledgers = await makeLedgers(stage, chosen.histories);
  const sizes = ledgers.at(-1)?.sizes ?? [];
  console.log('KB an order of the largest');
  console.table(sizes);
  const grown: Grown[] = ledgers.map(({ orders, bytes }) => ({ orders, bytes, runs: [], upkeep: null }));
  for (let round = 0; round < chosen.rounds; round += 1) await runRound(ledgers, grown, round);
  for (const [at, ledger] of ledgers.entries()) Object.assign(grown[at] ?? {}, { upkeep: await measureUpkeep(ledger) });
  const ratios = grown.map(({ runs }) =>
    ratioTo(
      pace(grown[0]),
      runs.map(({ recordedPerSecond }) => recordedPerSecond),
    ),
  );
  print(grown, ratios);
  const [smallest] = ledgers;
  const backlog = chosen.backlog === 0 || smallest === undefined ? null : await measureDueBacklog(smallest, chosen.backlog);
  if (backlog !== null) printBacklog(backlog, median(pace(grown[0])));
  if (chosen.json !== null) writeFileSync(chosen.json, `${JSON.stringify({ options: chosen, grown, sizes, ratios, backlog }, null, 2)}\n`);
  if (ratios.some((ratio) => Math.abs(1 - ratio.median) > AIM)) process.exitCode = 1;
}

/** One run of each, in reverse in every other round, so that disturbances of the machine affect all alike. */
async function runRound(ledgers: readonly Ledger[], grown: readonly Grown[], round: number): Promise<void> {
  const turn = [...ledgers.entries()];
  for (const [at, { orders, stage }] of round % 2 === 0 ? turn : turn.toReversed()) {
    const run = await measureEndToEnd(stage, splitOf(stage), null);
    grown[at]?.runs.push(run);
    console.error(`${orders}: ${run.recordedPerSecond.toFixed(0)} orders/s, PostgreSQL ${run.cpuMsPerOrder.postgres.toFixed(2)} ms/order`);
  }
}

function pace(grown: Grown | undefined): number[] {
  return (grown?.runs ?? []).map(({ recordedPerSecond }) => recordedPerSecond);
}

function print(grown: readonly Grown[], ratios: readonly Ratio[]): void {
  const rows = grown.map(({ orders, bytes, runs, upkeep }, at) => {
    const of = (value: (run: EndToEnd) => number) => Number(median(runs.map(value)).toPrecision(3));
    const ratio = ratios[at];
    return {
      history: orders,
      'KB each': Number((bytes / orders / 1000).toPrecision(3)),
      'orders/s': of(({ recordedPerSecond }) => recordedPerSecond),
      'of the smallest': ratio === undefined ? '' : `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}..${ratio.max.toFixed(2)})`,
      'node ms/order': of(({ cpuMsPerOrder }) => cpuMsPerOrder.service),
      'PostgreSQL ms/order': of(({ cpuMsPerOrder }) => cpuMsPerOrder.postgres),
      'WAL bytes/order': of(({ postgresWalBytesPerOrder }) => postgresWalBytesPerOrder),
      ...Object.fromEntries(Object.entries(upkeep ?? {}).map(([what, seconds]) => [`${what} s`, Number(seconds.toPrecision(2))])),
    };
  });
  console.table(rows);
}

function printBacklog({ orders, tenthsMb, filledSeconds, drainedPerSecond, perSecond }: DueBacklog, healthy: number): void {
  console.log(
    `A backlog of ${orders} (filled in ${filledSeconds.toFixed(0)} s): drained at ${drainedPerSecond.toFixed(0)}/s, ${(drainedPerSecond / healthy).toFixed(2)} of the pace of the smallest ledger`,
  );
  console.log(`  each tenth: ${perSecond.map((rate) => rate.toFixed(0)).join(', ')}/s`);
  console.log(`  receiver, worker, Redis: ${tenthsMb.map((each) => each.join('+')).join(' ')} MB`);
}
